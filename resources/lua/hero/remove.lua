#!lua flags=allow-oom
-- needs: keys record fate
-- Deletes a job that does not run, with everything that speaks of it.
-- Keeps true: no list, set or job names an id that is gone; who waited for a finished job waits no longer for it, who
-- waited for any other one fails (I9); a running job stays (HD15).
-- KEYS: 1 job
-- ARGV: 1 id, 2 reply TTL ms
-- Returns 'gone', 'invalid', 'running' or 'removed'.
local id, reply_ms = ARGV[1], ARGV[2]
local status = status_of(id)
if status == 'missing' then return 'gone' end
if status == 'invalid' then return status end
if status == 'started' then return 'running' end

-- The list in this field of another job, without this one.
local function forget(other, field)
  local stored = redis.pcall('HGET', job_key(other), field)
  if not stored or is_error(stored) then return end
  local list, kept = {}, {}
  add_ids(list, {}, stored)
  for _, name in ipairs(list) do
    if name ~= id then kept[#kept + 1] = name end
  end
  if #kept < #list then redis.call('HSET', job_key(other), field, encode_ids(kept)) end
end

local stamp = stamp_of(server_ms())
if status == 'finished' then
  local dependents = {}
  add_ids(dependents, {}, redis.call('HGET', KEYS[1], 'dependents'))
  for _, other in ipairs(dependents) do
    forget(other, 'prerequisites')
    forget(other, 'dependencies')
    settle_waiting(other, stamp, reply_ms)
  end
else
  fail_dependents(id, stamp, reply_ms)
end
for _, other in ipairs(prerequisites_of(id)) do forget(other, 'dependents') end

local record = redis.call('HMGET', KEYS[1], 'claimed_by', 'script_type', 'scriptType')
local kind = string.lower(record[2] or record[3] or '')
unlist(id)
clear_requests(id, kind, record[1])
redis.pcall('ZREM', WAITING, id)
redis.pcall('ZREM', lease_key(kind), id)
redis.pcall('HDEL', claims_key(kind), id)
redis.pcall('LREM', dead_key(kind), 0, id)
redis.pcall('DEL', reply_key(id), legacy_reply_key(id))
redis.call('DEL', KEYS[1])
return 'removed'
