#!lua
-- needs: keys record fate again
-- Takes a job away from whoever runs it and puts it where it was queued again, at the served end.
-- Keeps true: only the run that the caller has seen is ended (`attempt`); its late commit is stale (I6); the job is in
-- exactly one place (I1).
-- KEYS: 1 job
-- ARGV: 1 id, 2 attempt that the caller has seen, 3 served end LEFT or RIGHT, 4 the legacy queue of the connection (worker,
--       type or actor) or '', 5 '1' when a record that does not say where it was queued means that one
-- Returns {'gone'}, {'invalid', key}, {'changed', status}, {'over'} or {'queued', queue…}.
local id = ARGV[1]
local status = status_of(id)
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if OVER[status] then return { 'over' } end
local record = redis.call('HMGET', KEYS[1], 'attempt', 'claimed_by')
if count_of(record[1]) ~= tonumber(ARGV[2]) then return { 'changed', status } end
if status == 'waiting_for_prerequisites' then return { 'changed', status } end
local kind, queues, is_new = queues_again(id, ARGV[4], ARGV[5] == '1')
if not queues then return { 'invalid', is_new } end

unlist(id)
clear_requests(id, kind, record[2])
local leased = string.match(record[2] or '', '^([^:]+):') or kind
redis.pcall('ZREM', lease_key(leased), id)
redis.pcall('HDEL', claims_key(leased), id)
redis.pcall('LREM', dead_key(kind), 0, id)
redis.call('HDEL', KEYS[1], 'claim', 'claimed_by', 'started_at', 'not_before', 'requeued_at', 'dead_reason')
redis.call('HSET', KEYS[1], 'status', 'dispatched', 'updated_at', stamp_of(server_ms()))
if is_new then redis.call('HSET', KEYS[1], 'queues', encode_ids(queues)) end
for _, queue in ipairs(queues) do redis.call(ARGV[3] == 'LEFT' and 'LPUSH' or 'RPUSH', queue, id) end
return { 'queued', unpack(queues) }
