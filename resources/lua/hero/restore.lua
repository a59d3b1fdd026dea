#!lua
-- needs: keys record fate graph
-- Brings a removed job back from what was kept of it: to the queues that it was in, behind what it waits for, or as it was
-- when it was over. What failed only because it was gone waits again.
-- Keeps true: nothing that exists is overwritten; the job is in exactly one place again (I1); `dependents` is the inverse
-- of `prerequisites`; no job starts before its prerequisites (I9).
-- KEYS: 1 job
-- ARGV: 1 id, 2 reply TTL ms, then name and value of each field
-- Returns {'exists'}, {'invalid', key} or {'restored'}.
local id, reply_ms = ARGV[1], ARGV[2]
local LOOK = 10000
if redis.call('EXISTS', KEYS[1]) == 1 then return { 'exists' } end
for _, key in ipairs({ WAITING, DELAYED }) do
  if wrong_set(key) then return { 'invalid', key } end
end
local FIELDS_A_TIME = 1000
for i = 3, #ARGV, FIELDS_A_TIME do
  redis.call('HSET', KEYS[1], unpack(ARGV, i, math.min(i + FIELDS_A_TIME - 1, #ARGV)))
end
local at = server_ms()
local stamp = stamp_of(at)
local status = status_of(id)

local function queue_it()
  local later = ms_of(redis.call('HGET', KEYS[1], 'not_before'))
  if later and later > at then return redis.call('ZADD', DELAYED, whole(later), id) end
  local _, queues = route_of(id)
  if push_to(queues, id) then return true end
  redis.call('DEL', KEYS[1])
  return false, queues[1] or KEYS[1]
end
if status == 'dispatched' then
  local queued, key = queue_it()
  if not queued then return { 'invalid', key } end
end

for _, other in ipairs(prerequisites_of(id)) do
  if KNOWN[status_of(other)] then add_dependent(other, id) end
end

-- A finished one was taken out of what waits for it.
local function stand_before(other)
  local list, seen = {}, {}
  add_ids(list, seen, redis.call('HGET', job_key(other), 'prerequisites'))
  for _, name in ipairs(prerequisites_of(other)) do
    if name == id then return end
  end
  list[#list + 1] = id
  redis.call('HSET', job_key(other), 'prerequisites', encode_ids(list))
end

local function wait_again(other)
  redis.call('HDEL', job_key(other), 'error', 'finished_at')
  redis.call('HSET', job_key(other), 'status', 'waiting_for_prerequisites', 'updated_at', stamp)
  redis.call('ZADD', WAITING, whole(at), other)
  redis.pcall('DEL', reply_key(other), legacy_reply_key(other))
end

local reason = 'prerequisite ' .. id .. ' failed'
local behind, seen, next_one = {}, { [id] = true }, 1
add_ids(behind, seen, redis.call('HGET', KEYS[1], 'dependents'))
local direct = #behind
while behind[next_one] and next_one <= LOOK do
  local other = behind[next_one]
  local others = status_of(other)
  if KNOWN[others] and next_one <= direct then stand_before(other) end
  if status ~= 'error' and others == 'error' and redis.call('HGET', job_key(other), 'error') == reason then
    wait_again(other)
    add_ids(behind, seen, redis.call('HGET', job_key(other), 'dependents'))
  end
  next_one = next_one + 1
end

if status == 'waiting_for_prerequisites' then
  redis.call('HDEL', KEYS[1], 'blocked_by')
  redis.call('ZADD', WAITING, whole(at), id)
  settle_waiting(id, stamp, reply_ms)
end
return { 'restored' }
