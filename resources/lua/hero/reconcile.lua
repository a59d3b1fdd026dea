#!lua
-- needs: keys record fate
-- Repairs jobs whose record and whose place have come apart (DESIGN, Hero: reconcile).
-- Keeps true: a `dispatched` job is in a queue (I1), also when a foreign worker popped it and died before it wrote
-- `started` (HD3): it is pushed again once, and given up when it is lost a second time (I2), or ends as stopped when
-- somebody asked for that meanwhile. A job that waits is looked at by recover (HD16); one that we leased has a lease that
-- ends.
-- KEYS: none, because the lists stand nowhere but in the records
-- ARGV: 1 grace ms, 2 served end LEFT or RIGHT, 3 reply TTL ms, then the ids
-- Returns how many jobs were moved.
local SKEW_MS = 60000 -- that clocks may differ
local grace, reply_ms = tonumber(ARGV[1]), ARGV[3]
local push = ARGV[2] == 'LEFT' and 'LPUSH' or 'RPUSH'
local at = server_ms()
local stamp = stamp_of(at)
local moved = 0

local function give_up(id, kind, queue, reason)
  redis.call('HSET', job_key(id), 'dead_reason', reason)
  bury(kind, id)
  close_with_error(id, reason, stamp, reply_ms)
  count(queue, 'error')
  fail_dependents(id, stamp, reply_ms)
  moved = moved + 1
end

local function end_as_stopped(id)
  close_with_error(id, 'stopped', stamp, reply_ms)
  fail_dependents(id, stamp, reply_ms)
  moved = moved + 1
end

local function find_again(id)
  local record = redis.call('HMGET', job_key(id), 'updated_at', 'updatedAt', 'timeout', 'requeued_at', 'claimed_by')
  local since = ms_of(filled(record[1], record[2]))
  local patience = grace
  if record[4] then patience = patience + timeout_of(record[3]) * 1000 end -- whoever popped it may still run it
  local is_odd = not since or since > at + SKEW_MS
  if not is_odd and since + patience > at then return end
  if is_listed(id) then return end
  -- Who wrote it says no time, or has another clock: the grace begins now.
  if is_odd then return redis.call('HSET', job_key(id), 'updated_at', stamp) end
  local kind, queues = route_of(id)
  if clear_requests(id, kind, record[5]) then return end_as_stopped(id) end
  if #queues == 0 then return end
  if record[4] then return give_up(id, kind, queues[1], 'lost twice on its way to a worker') end
  if not push_to(queues, id, push) then return give_up(id, kind, queues[1], why_unqueued(queues)) end
  redis.call('HSET', job_key(id), 'updated_at', stamp, 'requeued_at', stamp)
  count(queues[1], 'rescued')
  moved = moved + 1
end

-- Its lease is gone without its end: recover finds it by a lease that is over.
local function lease_again(id)
  local record = redis.call('HMGET', job_key(id), 'claim', 'script_type', 'scriptType', 'claimed_by', 'attempt')
  local kind = string.match(record[4] or '', '^([^:]+):') or string.lower(filled(record[2], record[3]))
  if not record[1] or kind == '' then return end -- a foreign worker's run: only a person can tell
  -- The run of that claim has ended: somebody else took the job when it was queued again.
  if redis.call('HEXISTS', job_key(id), 'run_' .. whole(count_of(record[5]))) == 1 then return end
  local lease = redis.pcall('ZSCORE', lease_key(kind), id)
  if lease or is_error(redis.pcall('ZADD', lease_key(kind), whole(at), id)) then return end
  redis.pcall('SADD', TYPES, kind)
  moved = moved + 1
end

for i = 4, #ARGV do
  local id = ARGV[i]
  local status = status_of(id)
  if status == 'dispatched' then find_again(id)
  elseif status == 'started' then lease_again(id)
  elseif status == 'waiting_for_prerequisites' then redis.pcall('ZADD', WAITING, 'NX', whole(at), id) end
end
return moved
