#!lua
-- needs: keys record fate
-- Takes a job away from whoever runs it and puts it into its queue again, at the served end.
-- Keeps true: only the run that the caller has seen is ended (`attempt`); its late commit is stale (I6); the job is in
-- exactly one place (I1).
-- KEYS: 1 job
-- ARGV: 1 id, 2 attempt that the caller has seen, 3 served end LEFT or RIGHT
-- Returns {'gone'}, {'invalid', key}, {'changed', status}, {'over'} or {'queued', queue}.
local id = ARGV[1]
local status = status_of(id)
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if OVER[status] then return { 'over' } end
local record = redis.call('HMGET', KEYS[1], 'attempt', 'claimed_by')
if count_of(record[1]) ~= tonumber(ARGV[2]) then return { 'changed', status } end
if status == 'waiting_for_prerequisites' then return { 'changed', status } end
local kind, queue = route_of(id)
local listed = queue and redis.call('TYPE', queue).ok
if not queue or (listed ~= 'list' and listed ~= 'none') then return { 'invalid', queue or KEYS[1] } end

unlist(id)
clear_requests(id, kind, record[2])
redis.pcall('ZREM', lease_key(kind), id)
redis.pcall('HDEL', claims_key(kind), id)
redis.call('HDEL', KEYS[1], 'claim', 'claimed_by', 'started_at', 'not_before', 'requeued_at', 'dead_reason')
redis.call('HSET', KEYS[1], 'status', 'dispatched', 'updated_at', stamp_of(server_ms()))
redis.call(ARGV[3] == 'LEFT' and 'LPUSH' or 'RPUSH', queue, id)
return { 'queued', queue }
