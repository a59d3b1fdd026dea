#!lua
-- needs: keys record fate
-- Gives a job that has not started another target, and another queue with it.
-- Keeps true: a job that a worker has taken meanwhile stays where it is; a queued job is in exactly one queue (I1).
-- KEYS: 1 job
-- ARGV: 1 id, 2 type, 3 group or '', 4 instance or '', 5 priority
-- Returns {'gone'}, {'invalid', key}, {'running'}, {'over'}, {'same'}, {'queued', queue} or {'waiting'}.
local id, kind, group, instance, priority = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local status = status_of(id)
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if status == 'started' then return { 'running' } end
if OVER[status] then return { 'over' } end
local queue = work_key(kind, group, instance, priority)
local _, present = route_of(id)
if present == queue then return { 'same' } end
local listed = redis.call('TYPE', queue).ok
if listed ~= 'list' and listed ~= 'none' then return { 'invalid', queue } end

local delayed = redis.call('ZSCORE', DELAYED, id)
unlist(id)
redis.call('HSET', KEYS[1], 'script_type', kind, 'updated_at', stamp_of(server_ms()))
redis.call('HDEL', KEYS[1], 'scriptType', 'queues')
for name, value in pairs({ group = group, instance = instance, priority = priority ~= '1' and priority or '' }) do
  if value == '' then redis.call('HDEL', KEYS[1], name) else redis.call('HSET', KEYS[1], name, value) end
end
if status == 'waiting_for_prerequisites' then return { 'waiting' } end
if delayed then
  redis.call('ZADD', DELAYED, delayed, id)
  return { 'waiting' }
end
redis.call('LPUSH', queue, id)
return { 'queued', queue }
