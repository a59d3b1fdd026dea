#!lua
-- needs: keys record fate graph
-- Rescues what has been left lying: jobs whose lease is over, retries that are due, jobs whose prerequisites are over,
-- graphs that were committed and have not grown to the end.
-- Keeps true: within lease + interval every job moves on (I2), an hour at most after the server's clock went back; any
-- number of callers ≡ one (I7); rescues ≤ cap (I5, R6); a record that cannot be read is put aside and never stops the
-- rest (R5).
-- KEYS: 1 lease zset, 2 claims hash of one type
-- ARGV: 1 type, 2 most rescues of a job, 3 most jobs a call, 4 served end LEFT or RIGHT, 5 reply TTL ms, 6 ms until which
--       leases that are over count, '' = always: later they are left alone, whoever holds them may have been kept from
--       renewing
-- Returns {how many jobs were moved, 1 when more may be due else 0, the time in ms}.
local kind, rescue_limit, batch, reply_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5]
local push = ARGV[4] == 'LEFT' and 'LPUSH' or 'RPUSH'
local WAITING_INTERVAL_MS, LONGEST_LEASE_MS = 5000, 3600000
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

local function forget_lease(id)
  redis.call('ZREM', KEYS[1], id)
  redis.pcall('HDEL', KEYS[2], id)
end

-- False when this user may not queue anything: then everything stays as it is, for one who may.
local function rescue(id)
  local held = redis.pcall('HGET', KEYS[2], id)
  local queue = type(held) == 'string' and string.match(held, '^[^|]*|(.*)$') or nil
  local status = status_of(id)
  if status ~= 'started' then
    forget_lease(id)
    if status == 'invalid' then bury(kind, id) end
    return true
  end
  local record = redis.call('HMGET', job_key(id), 'rescues', 'claimed_by')
  local rescues = count_of(record[1])
  if not queue then
    local _, own = route_of(id)
    queue = own[1]
  end
  local stopped = clear_requests(id, kind, record[2])
  local requeued = not stopped and rescues < rescue_limit and queue and redis.pcall(push, queue, id)
  if is_forbidden(requeued) then return false end
  forget_lease(id)
  moved = moved + 1
  if stopped then
    give_up(id, queue, 'stopped_by_request')
  elseif requeued and not is_error(requeued) then
    redis.call('HSET', job_key(id), 'status', 'dispatched', 'rescues', rescues + 1, 'updated_at', stamp)
    redis.call('HDEL', job_key(id), 'claim', 'progress', 'requeued_at')
    count(queue, 'rescued')
  else
    local reason = 'worker lost'
    if is_error(requeued) then
      reason = reason .. '; it could not be queued again, because ' .. queue .. ' holds a ' .. redis.call('TYPE', queue).ok
    end
    redis.call('HSET', job_key(id), 'dead_reason', reason)
    bury(kind, id)
    give_up(id, queue, reason)
  end
  return true
end

local function queue_delayed(id)
  redis.call('ZREM', DELAYED, id)
  if status_of(id) ~= 'dispatched' then return end
  moved = moved + 1
  local own_kind, queues = route_of(id)
  if push_to(queues, id) then
    redis.call('HDEL', job_key(id), 'not_before', 'requeued_at')
    redis.call('HSET', job_key(id), 'updated_at', stamp)
    return
  end
  local reason = why_unqueued(queues)
  redis.call('HSET', job_key(id), 'dead_reason', reason)
  bury(own_kind ~= '' and own_kind or kind, id)
  give_up(id, queues[1], reason)
end

-- No lease lasts longer: one that does was taken before the server's clock went back.
local latest = at + LONGEST_LEASE_MS
local odd = redis.pcall('ZRANGEBYSCORE', KEYS[1], '(' .. whole(latest), '+inf', 'LIMIT', 0, batch)
for _, id in ipairs(is_error(odd) and {} or odd) do redis.call('ZADD', KEYS[1], 'XX', whole(latest), id) end

local may_rescue = ARGV[6] == '' or at <= tonumber(ARGV[6])
for _, id in ipairs(may_rescue and due(KEYS[1]) or {}) do
  if not rescue(id) then return { moved, 0, at } end
end
for _, id in ipairs(due(DELAYED)) do queue_delayed(id) end
-- Each waiting job is looked at again after some seconds, or more when there are very many.
local waiting = redis.pcall('ZCARD', WAITING)
local interval = math.max(WAITING_INTERVAL_MS, is_error(waiting) and 0 or waiting)
for _, id in ipairs(due(WAITING)) do
  if budget <= 0 then break end
  budget = budget - 1
  redis.call('ZADD', WAITING, 'XX', whole(at + interval), id)
  if settle_waiting(id, stamp, reply_ms) then moved = moved + 1 end
end
local graphs = due(GRAPHS)
if budget > 0 and graphs[1] and (grow(graphs[1], batch, at, stamp, reply_ms) > 0 or graphs[2]) then more = 1 end
if budget <= 0 then more = 1 end
return { moved, more, at }
