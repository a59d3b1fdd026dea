#!lua flags=allow-oom
-- needs: keys record
-- Returns a claim that was not run to the served end of its queue; the attempt does not count.
-- Keeps true: the job is in its queue or leased, never both (I1); a stale token changes nothing (I6).
-- KEYS: 1 job, 2 lease zset, 3 claims hash
-- ARGV: 1 id, 2 token, 3 served end LEFT or RIGHT
-- Returns 1, or 0 when the claim is no longer the caller's.
local id, token = ARGV[1], ARGV[2]
local held = redis.call('HGET', KEYS[3], id)
if not held or string.sub(held, 1, #token + 1) ~= token .. '|' then return 0 end
if status_of(id) ~= 'started' then return 0 end
local queue = string.sub(held, #token + 2)
redis.call(ARGV[3] == 'LEFT' and 'LPUSH' or 'RPUSH', queue, id) -- first: a restricted user is refused here
redis.call('ZREM', KEYS[2], id)
redis.call('HDEL', KEYS[3], id)
local attempt = math.max(count_of(redis.call('HGET', KEYS[1], 'attempt')) - 1, 0)
redis.call('HSET', KEYS[1], 'status', 'dispatched', 'attempt', attempt, 'updated_at', stamp_of(server_ms()))
redis.call('HDEL', KEYS[1], 'claim', 'claimed_by', 'started_at', 'progress')
return 1
