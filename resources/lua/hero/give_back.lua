#!lua flags=allow-oom
-- needs: keys record fate
-- Returns a claim that was not run to the served end of its queue; the attempt does not count. A job that somebody asked
-- to stop meanwhile ends here: whoever claims it next does not look at the list with that request. A user who may queue
-- nothing leaves it to whoever dispatches (hero:q:delayed).
-- Keeps true: the job is in its queue, leased or over, never two of these (I1); a stale token changes nothing (I6).
-- KEYS: 1 job, 2 lease zset, 3 claims hash
-- ARGV: 1 id, 2 token, 3 served end LEFT or RIGHT, 4 reply TTL ms
-- Returns 1, or 0 when the claim is no longer the caller's.
local id, token, reply_ms = ARGV[1], ARGV[2], ARGV[4]
local held = redis.call('HGET', KEYS[3], id)
if not held or string.sub(held, 1, #token + 1) ~= token .. '|' then return 0 end
if status_of(id) ~= 'started' then return 0 end
local at = server_ms()
local queue, stamp = string.sub(held, #token + 2), stamp_of(at)
local claimer = redis.call('HGET', KEYS[1], 'claimed_by') or ''
local is_stopped = clear_requests(id, string.match(claimer, '^[^:]*'), claimer)
if not is_stopped then
  local pushed = redis.pcall(ARGV[3] == 'LEFT' and 'LPUSH' or 'RPUSH', queue, id)
  if is_forbidden(pushed) then pushed = redis.pcall('ZADD', DELAYED, whole(at), id) end
  if is_error(pushed) then return pushed end
end
redis.call('ZREM', KEYS[2], id)
redis.call('HDEL', KEYS[3], id)
if is_stopped then
  close_with_error(id, 'stopped_by_request', stamp, reply_ms, not is_canonical(queue))
  count(queue, 'error')
  fail_dependents(id, stamp, reply_ms)
  return 1
end
local attempt = math.max(count_of(redis.call('HGET', KEYS[1], 'attempt')) - 1, 0)
redis.call('HSET', KEYS[1], 'status', 'dispatched', 'attempt', attempt, 'updated_at', stamp)
redis.call('HDEL', KEYS[1], 'claim', 'claimed_by', 'started_at', 'progress')
return 1
