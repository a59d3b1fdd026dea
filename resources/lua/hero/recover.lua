#!lua
-- needs: keys record fate
-- Rescues what has been left lying: jobs whose lease is over, retries that are due, jobs whose prerequisites are over.
-- Keeps true: within lease + interval every job moves on (I2); any number of callers ≡ one (I7); rescues ≤ cap (I5, R6);
-- a record that cannot be read is put aside and never stops the rest (R5).
-- KEYS: 1 lease zset, 2 claims hash of one type
-- ARGV: 1 type, 2 most rescues of a job, 3 most jobs a call, 4 served end LEFT or RIGHT, 5 reply TTL ms
-- Returns {how many jobs were moved, 1 when more may be due else 0}.
local kind, rescue_limit, batch, reply_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5]
local push = ARGV[4] == 'LEFT' and 'LPUSH' or 'RPUSH'
local WAITING_INTERVAL_MS = 5000
local at = server_ms()
local stamp = stamp_of(at)
local moved, more = 0, 0

local function due(key)
  local ids = redis.pcall('ZRANGEBYSCORE', key, '-inf', whole(at), 'LIMIT', 0, batch)
  if is_error(ids) then return {} end
  if #ids == batch then more = 1 end
  return ids
end

local function give_up(id, queue, reason)
  close_with_error(id, reason, stamp, reply_ms)
  count(queue, 'error')
  fail_dependents(id, stamp, reply_ms)
end

local function rescue(id)
  local held = redis.pcall('HGET', KEYS[2], id)
  local queue = type(held) == 'string' and string.match(held, '^[^|]*|(.*)$') or nil
  redis.call('ZREM', KEYS[1], id)
  redis.pcall('HDEL', KEYS[2], id)
  local status = status_of(id)
  if status == 'invalid' then bury(kind, id) end
  if status ~= 'started' then return end
  moved = moved + 1
  local record = redis.call('HMGET', job_key(id), 'rescues', 'claimed_by')
  if clear_requests(id, kind, record[2]) then return give_up(id, queue, 'stopped_by_request') end
  local rescues = count_of(record[1])
  if not queue then
    local _, own = route_of(id)
    queue = own
  end
  local requeued = rescues < rescue_limit and queue and redis.pcall(push, queue, id)
  if requeued and not is_error(requeued) then
    redis.call('HSET', job_key(id), 'status', 'dispatched', 'rescues', rescues + 1, 'updated_at', stamp)
    redis.call('HDEL', job_key(id), 'claim')
    return count(queue, 'rescued')
  end
  redis.call('HSET', job_key(id), 'dead_reason', 'worker lost')
  bury(kind, id)
  give_up(id, queue, 'worker lost')
end

local function queue_delayed(id)
  redis.call('ZREM', DELAYED, id)
  if status_of(id) ~= 'dispatched' then return end
  moved = moved + 1
  local own_kind, queue = route_of(id)
  if queue and not is_error(redis.pcall('LPUSH', queue, id)) then
    redis.call('HDEL', job_key(id), 'not_before')
    redis.call('HSET', job_key(id), 'updated_at', stamp)
    return
  end
  redis.call('HSET', job_key(id), 'dead_reason', 'no usable queue')
  bury(own_kind or kind, id)
  give_up(id, queue, 'no usable queue')
end

for _, id in ipairs(due(KEYS[1])) do rescue(id) end
for _, id in ipairs(due(DELAYED)) do queue_delayed(id) end
for _, id in ipairs(due(WAITING)) do
  redis.call('ZADD', WAITING, 'XX', whole(at + WAITING_INTERVAL_MS), id)
  if settle_waiting(id, stamp, reply_ms) then moved = moved + 1 end
end
return { moved, more }
