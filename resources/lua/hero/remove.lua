#!lua flags=allow-oom
-- needs: keys record fate
-- Deletes a job that does not run, with everything that speaks of it.
-- Keeps true: no list, set or job names an id that is gone; who waited for a finished job waits no longer for it, who
-- waited for any other one fails (I9); a running job stays (HD15).
-- KEYS: 1 job
-- ARGV: 1 id, 2 reply TTL ms, 3 a queue to take it out of, or '': then only what waits there is removed, and an entry
--       without such a job is taken out all the same
-- Returns {'gone'}, {'invalid', key}, {'running'}, or 'removed' and name and value of each field as it was, with the
--         queues that it was in when these are of the legacy family; of a record that does not fit into a reply nothing.
local id, reply_ms, only = ARGV[1], ARGV[2], ARGV[3]
local MOST_BYTES = 32 * 1024 * 1024
local status = status_of(id)

-- A queue is emptied from one of its ends, so that most entries are found without a search.
local function take_entry()
  if redis.call('LINDEX', only, -1) == id then return redis.call('LREM', only, -1, id) end
  if redis.call('LINDEX', only, 0) == id then return redis.call('LREM', only, 1, id) end
  return redis.call('LREM', only, 0, id) > 0
end

if only ~= '' then
  local found = take_entry()
  if status ~= 'dispatched' or not found then return { 'gone' } end
end
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if status == 'started' then return { 'running' } end
local result = redis.call('HGETALL', KEYS[1])
table.insert(result, 1, 'removed')

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

-- A queued job is in one queue; its twin, if it has one, is in the other family.
local function take_twins_out()
  local places = { only }
  local list, wider = lists_of(id)
  for _, queue in ipairs(wider) do list[#list + 1] = queue end
  for _, queue in ipairs(list) do
    local found = is_canonical(queue) ~= is_canonical(only) and redis.pcall('LREM', queue, 0, id)
    if found and not is_error(found) and found > 0 then table.insert(places, is_canonical(queue) and 1 or #places + 1, queue) end
  end
  return not is_canonical(places[#places]), places
end

local record = redis.call('HMGET', KEYS[1], 'claimed_by', 'script_type', 'scriptType', 'queues')
local kind = string.lower(filled(record[2], record[3]))
local is_legacy, places
if only ~= '' then
  is_legacy, places = take_twins_out()
else
  is_legacy, places = unlist(id)
  redis.pcall('LREM', dead_key(kind), 0, id)
end
local bytes = 0
for i = 2, #result do bytes = bytes + #result[i] end
if bytes > MOST_BYTES then
  result = { 'removed' }
elseif is_legacy and not record[4] then
  result[#result + 1] = 'queues'
  result[#result + 1] = encode_ids(places)
end
clear_requests(id, kind, record[1])
redis.pcall('ZREM', WAITING, id)
redis.pcall('ZREM', lease_key(kind), id)
redis.pcall('HDEL', claims_key(kind), id)
redis.pcall('DEL', reply_key(id), legacy_reply_key(id))
redis.call('DEL', KEYS[1])
return result
