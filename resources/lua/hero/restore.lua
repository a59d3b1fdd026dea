#!lua
-- needs: keys record fate graph
-- Brings a removed job back from what was kept of it.
-- Keeps true: nothing that exists is overwritten; the job is in exactly one place again (I1), and is behind its
-- prerequisites as they are now (I9). Jobs that failed because it was removed stay as they are.
-- KEYS: 1 job
-- ARGV: 1 id, 2 reply TTL ms, then name and value of each field
-- Returns 'exists' or 'restored'.
local id, reply_ms = ARGV[1], ARGV[2]
if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
for _, other in ipairs(prerequisites_of(id)) do
  if KNOWN[status_of(other)] then add_dependent(other, id) end
end
local status = status_of(id)
if OVER[status] then return 'restored' end
local at = server_ms()
local later = ms_of(redis.call('HGET', KEYS[1], 'not_before'))
if status == 'dispatched' and later and later > at then
  redis.call('ZADD', DELAYED, whole(later), id)
  return 'restored'
end
-- Where it was nobody knows any more: it waits, and goes where it belongs at once.
redis.call('HDEL', KEYS[1], 'claim', 'claimed_by', 'started_at', 'blocked_by', 'requeued_at')
redis.call('HSET', KEYS[1], 'status', 'waiting_for_prerequisites', 'updated_at', stamp_of(at))
redis.call('ZADD', WAITING, whole(at), id)
settle_waiting(id, stamp_of(at), reply_ms)
return 'restored'
