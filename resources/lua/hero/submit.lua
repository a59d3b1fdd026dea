#!lua
-- needs: keys record fate
-- Writes a new job and queues it, or lets it wait for its prerequisites, in one step.
-- Keeps true: a job that is `dispatched` is in exactly one queue (I1); an id is one job, however often its submit is
-- repeated (HD2); no job starts before its prerequisites (I9); `dependents` is the inverse of `prerequisites`.
-- KEYS: 1 job
-- ARGV: 1 id, 2 the queues it goes to as JSON array, 3 prerequisites as JSON array, 4 ms of the time it is scheduled for
--       or '', 5 number of fields, then name and value of each, then the names of the fields that this draft does not have
-- Returns {'queued', queue…}, {'scheduled'} or {'waiting'} for a new job, {'same', queue…} for one that is there already
--         with this content and where it is queued, {'differs'}, {'invalid', key}, {'missing', id…}, {'failed', id},
--         {'cycle', id…} or {'tooMany'}.
local id, scheduled, count_of_fields = ARGV[1], tonumber(ARGV[4]), tonumber(ARGV[5])
local fields_start, fields_end = 6, 5 + 2 * count_of_fields
local queues = {}
add_ids(queues, {}, ARGV[2])

local status = redis.call('TYPE', KEYS[1]).ok == 'none' and 'missing' or status_of(id)
if status == 'invalid' then return { 'invalid', KEYS[1] } end
if status ~= 'missing' then
  for i = fields_start, fields_end, 2 do
    if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= ARGV[i + 1] then return { 'differs' } end
  end
  for i = fields_end + 1, #ARGV do
    if (redis.call('HGET', KEYS[1], ARGV[i]) or '') ~= '' then return { 'differs' } end
  end
  if status ~= 'dispatched' or redis.call('HEXISTS', KEYS[1], 'not_before') == 1 then return { 'same' } end
  local _, own = route_of(id)
  return { 'same', unpack(own) }
end

local prerequisites = {}
add_ids(prerequisites, {}, ARGV[3])
local missing, waits = {}, false
for _, other in ipairs(prerequisites) do
  if other == id then return { 'cycle', id } end
  local state = status_of(other)
  if state == 'missing' or state == 'invalid' then missing[#missing + 1] = other end
  if state == 'error' then return { 'failed', other } end
  if state ~= 'finished' then waits = true end
end
if #missing > 0 then return { 'missing', unpack(missing, 1, math.min(#missing, 50)) } end

-- Jobs written by others may already name this id: walk what has not finished (HD16).
local path, seen, next_one = {}, {}, 1
for _, other in ipairs(prerequisites) do
  path[#path + 1] = other
  seen[other] = true
end
while path[next_one] do
  if next_one > 10000 then return { 'tooMany' } end
  local other = path[next_one]
  next_one = next_one + 1
  if status_of(other) ~= 'finished' then
    for _, further in ipairs(prerequisites_of(other)) do
      if further == id then return { 'cycle', id, other } end
      if not seen[further] then
        seen[further] = true
        path[#path + 1] = further
      end
    end
  end
end

-- Look before the first write: a failing push would leave the record behind.
for _, queue in ipairs(queues) do
  local kind = redis.call('TYPE', queue).ok
  if not waits and kind ~= 'list' and kind ~= 'none' then return { 'invalid', queue } end
end

local at = server_ms()
local stamp = stamp_of(at)
local is_later = scheduled and scheduled > at
if waits and wrong_set(WAITING) then return { 'invalid', WAITING } end
if is_later and wrong_set(DELAYED) then return { 'invalid', DELAYED } end
-- Where it will be queued again, when that is not simply what its target says.
if #queues > 1 or not is_canonical(queues[1]) then redis.call('HSET', KEYS[1], 'queues', ARGV[2]) end
if is_later then redis.call('HSET', KEYS[1], 'not_before', stamp_of(scheduled)) end
redis.call('HSET', KEYS[1], 'created_at', stamp, 'updated_at', stamp, 'dependents', '[]', 'status',
  waits and 'waiting_for_prerequisites' or 'dispatched', unpack(ARGV, fields_start, fields_end))
for _, other in ipairs(prerequisites) do
  local dependents, known = {}, {}
  add_ids(dependents, known, redis.call('HGET', job_key(other), 'dependents'))
  if not known[id] then
    dependents[#dependents + 1] = id
    redis.call('HSET', job_key(other), 'dependents', encode_ids(dependents))
  end
end
count(queues[1], 'submitted')
if waits then
  redis.call('ZADD', WAITING, at, id)
  return { 'waiting' }
end
if is_later then
  redis.call('ZADD', DELAYED, scheduled, id)
  return { 'scheduled' }
end
for _, queue in ipairs(queues) do redis.call('LPUSH', queue, id) end
return { 'queued', unpack(queues) }
