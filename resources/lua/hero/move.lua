#!lua
-- needs: keys record fate
-- Gives a job that has not started another target, and other queues with it.
-- Keeps true: a job that a worker has taken meanwhile stays where it is; a queued job is where its record says and nowhere
-- else (I1); a scheduled one keeps its time.
-- KEYS: 1 job
-- ARGV: 1 id, 2 the queues it goes to as JSON array, 3 type, 4 group, 5 instance, 6 priority, 7 worker id; '' = none
-- Returns {'gone'}, {'invalid', key}, {'running'}, {'over'}, {'same'}, {'queued', queue…} or {'waiting'}.
local id = ARGV[1]
local wanted = { script_type = ARGV[3], group = ARGV[4], instance = ARGV[5], priority = ARGV[6] ~= '1' and ARGV[6] or '',
  worker_id = ARGV[7] }
local status = status_of(id)
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if status == 'started' then return { 'running' } end
if OVER[status] then return { 'over' } end
local queues = {}
add_ids(queues, {}, ARGV[2])
local wrong = first_wrong(queues)
if wrong then return { 'invalid', wrong } end
local delayed = redis.pcall('ZSCORE', DELAYED, id)
if is_error(delayed) then delayed = nil end -- another thing stands there
local waits = status == 'waiting_for_prerequisites' or delayed

-- Where it is when it waits in a queue; where it will be queued when it does not yet.
local function is_there_already()
  local record = redis.call('HMGET', KEYS[1], 'script_type', 'group', 'instance', 'priority')
  local same = record[1] == wanted.script_type and (record[2] or '') == wanted.group
    and (record[3] or '') == wanted.instance and (record[4] == '1' and '' or record[4] or '') == wanted.priority
    and worker_of(id) == wanted.worker_id
  if not same then return false end
  local _, present = route_of(id)
  if encode_ids(present) ~= encode_ids(queues) then return false end
  for _, queue in ipairs(queues) do
    if not waits and not redis.call('LPOS', queue, id) then return false end
  end
  return true
end
if is_there_already() then return { 'same' } end

unlist(id)
redis.call('HSET', KEYS[1], 'updated_at', stamp_of(server_ms()))
redis.call('HDEL', KEYS[1], 'scriptType', 'actor_id', 'actorId')
if #queues > 1 or not is_canonical(queues[1]) then wanted.queues = ARGV[2] else wanted.queues = '' end
for name, value in pairs(wanted) do
  if value == '' then redis.call('HDEL', KEYS[1], name) else redis.call('HSET', KEYS[1], name, value) end
end
if delayed then redis.call('ZADD', DELAYED, delayed, id) end
if waits then return { 'waiting' } end
for _, queue in ipairs(queues) do redis.call('LPUSH', queue, id) end
return { 'queued', unpack(queues) }
