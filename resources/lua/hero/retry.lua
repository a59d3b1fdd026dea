#!lua
-- needs: keys record fate again
-- Makes a job that is over run again.
-- Keeps true: a `dispatched` job is in exactly one queue (I1); no job starts before its prerequisites (I9); nothing of the
-- former run is left to be taken for the new one's (the token goes, so a late commit is stale: I6), no stop request either.
-- KEYS: 1 job
-- ARGV: 1 id, 2 the legacy queue of the connection (worker, type or actor) or '', 3 '1' when a record that does not say
--       where it was queued means that one
-- Returns {'gone'}, {'invalid', key}, {'notOver', status}, {'failed', id} or {'queued', queue…} or {'waiting'}.
local id = ARGV[1]
local status = status_of(id)
if status == 'missing' then return { 'gone' } end
if status == 'invalid' then return { status, KEYS[1] } end
if not OVER[status] and not redis.call('HGET', KEYS[1], 'dead_reason') then return { 'notOver', status } end
local kind, queues, is_new = queues_again(id, ARGV[2], ARGV[3] == '1')
if not queues then return { 'invalid', is_new } end
local state, culprit = state_of_prerequisites(prerequisites_of(id))
if state == 'failed' then return { 'failed', culprit } end
if state == 'waiting' and wrong_set(WAITING) then return { 'invalid', WAITING } end

local at = server_ms()
unlist(id)
clear_requests(id, kind, redis.call('HGET', KEYS[1], 'claimed_by'))
redis.pcall('LREM', dead_key(kind), 0, id)
redis.pcall('DEL', reply_key(id), legacy_reply_key(id))
redis.call('HDEL', KEYS[1], 'output', 'error', 'finished_at', 'started_at', 'claim', 'claimed_by', 'rescues',
  'dead_reason', 'not_before', 'requeued_at', 'blocked_by')
redis.call('HSET', KEYS[1], 'updated_at', stamp_of(at), 'status',
  state == 'finished' and 'dispatched' or 'waiting_for_prerequisites')
if is_new then redis.call('HSET', KEYS[1], 'queues', encode_ids(queues)) end
if state == 'waiting' then
  redis.call('ZADD', WAITING, whole(at), id)
  return { 'waiting' }
end
for _, queue in ipairs(queues) do redis.call('LPUSH', queue, id) end
return { 'queued', unpack(queues) }
