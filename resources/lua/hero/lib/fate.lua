-- What happens when a job is over or becomes free: the record, the reply, the jobs behind it, the counters.
-- Writes that a restricted user may be refused (RELIABILITY 6.5) are tried and left to `recover` when refused.

-- One script looks at about so many jobs and not at many more; what is left over is found again through hero:q:waiting.
local budget = 2000
local DEAD_LIMIT = 10000

local function count(queue, field, by)
  if queue and queue ~= '' then redis.pcall('HINCRBY', stats_key(queue), field, by or 1) end
end

-- To the dead list, newest first, each id once.
local function bury(kind, id)
  redis.pcall('LREM', dead_key(kind), 0, id)
  redis.pcall('LPUSH', dead_key(kind), id)
  redis.pcall('LTRIM', dead_key(kind), 0, DEAD_LIMIT - 1)
end

-- A reply for who waits (PROTOCOLS, Reply); the hash decides, so a refused reply is no failure.
local function push_reply(id, text, reply_ms)
  local pushed = redis.pcall('LPUSH', reply_key(id), text)
  if not is_error(pushed) then redis.pcall('PEXPIRE', reply_key(id), reply_ms) end
end

local function close_with_error(id, reason, stamp, reply_ms)
  redis.call('HSET', job_key(id), 'status', 'error', 'error', reason, 'updated_at', stamp, 'finished_at', stamp)
  redis.call('HDEL', job_key(id), 'not_before', 'blocked_by')
  redis.pcall('ZREM', WAITING, id)
  push_reply(id, reason, reply_ms)
end

-- 'finished'; 'waiting' and the id that holds it back; 'failed' and the id that did: one that is gone never finishes.
-- Looking begins elsewhere each time, so that the one that is found is not always the next to finish.
local function state_of_prerequisites(list)
  local offset = #list > 1 and tonumber(redis.call('TIME')[2]) * 7919 % #list or 0
  for i = 1, #list do
    local id = list[(i + offset) % #list + 1]
    budget = budget - 1
    local status = status_of(id)
    if status == 'error' or status == 'missing' or status == 'invalid' then return 'failed', id end
    if status ~= 'finished' then return 'waiting', id end
  end
  return 'finished'
end

-- Leaves these to the next `recover`, before everybody else who waits.
local function postpone(list, first)
  for i = first, #list do redis.pcall('ZADD', WAITING, 'XX', 0, list[i]) end
end

-- Everything behind a failed job fails with it (PROTOCOLS, Prerequisites).
local function fail_dependents(root, stamp, reply_ms)
  local reason = 'prerequisite ' .. root .. ' failed'
  local list, seen, next_one = {}, { [root] = true }, 1
  add_ids(list, seen, redis.call('HGET', job_key(root), 'dependents'))
  while list[next_one] and budget > 0 do
    local id = list[next_one]
    next_one, budget = next_one + 1, budget - 1
    if status_of(id) == 'waiting_for_prerequisites' then
      close_with_error(id, reason, stamp, reply_ms)
      add_ids(list, seen, redis.call('HGET', job_key(id), 'dependents'))
    end
  end
  postpone(list, next_one)
end

-- Queues a waiting job when nothing holds it back, or fails it. True when it moved. `ended`: only because of this one; then
-- a job that is known to be held back by another one (`blocked_by`) costs one look, however much it waits for.
local function settle_waiting(id, stamp, reply_ms, ended)
  if status_of(id) ~= 'waiting_for_prerequisites' then
    redis.pcall('ZREM', WAITING, id)
    return false
  end
  local held = redis.call('HGET', job_key(id), 'blocked_by')
  if ended and held and held ~= ended then return false end
  local state, culprit = state_of_prerequisites(prerequisites_of(id))
  if state == 'waiting' then
    if held ~= culprit then redis.call('HSET', job_key(id), 'blocked_by', culprit) end
    return false
  end
  local _, queue = route_of(id)
  if state == 'failed' or not queue then
    close_with_error(id, culprit and 'prerequisite ' .. culprit .. ' failed' or 'no usable script_type', stamp, reply_ms)
    fail_dependents(id, stamp, reply_ms)
    return true
  end
  if is_error(redis.pcall('LPUSH', queue, id)) then return false end
  redis.call('HSET', job_key(id), 'status', 'dispatched', 'updated_at', stamp)
  redis.call('HDEL', job_key(id), 'blocked_by')
  redis.pcall('ZREM', WAITING, id)
  return true
end

local function release_dependents(id, stamp, reply_ms)
  local list = {}
  add_ids(list, {}, redis.call('HGET', job_key(id), 'dependents'))
  for number, dependent in ipairs(list) do
    if budget <= 0 then return postpone(list, number) end
    budget = budget - 1
    settle_waiting(dependent, stamp, reply_ms, id)
  end
end

-- Every list that a job may stand in, by its target: the priority may have been another one when it was queued.
local function lists_of(id)
  local t = redis.call('HMGET', job_key(id), 'script_type', 'scriptType', 'group', 'instance')
  local kind, group, instance = string.lower(t[1] or t[2] or ''), t[3] or '', t[4] or ''
  local normal = work_key(kind, group, instance, '1')
  return { work_key(kind, group, instance, '0'), normal, normal .. ':prio:1', work_key(kind, group, instance, '2') }
end

-- Takes an id out of every list; returns whether it was in one.
local function unlist(id)
  local delayed = redis.pcall('ZREM', DELAYED, id)
  local found = is_error(delayed) and 0 or delayed
  for _, queue in ipairs(lists_of(id)) do
    local removed = redis.pcall('LREM', queue, 0, id)
    found = found + (is_error(removed) and 0 or removed)
  end
  return found > 0
end

-- Whether it is in one of those lists, or will be put there when it is due.
local function is_listed(id)
  local delayed = redis.pcall('ZSCORE', DELAYED, id)
  if delayed and not is_error(delayed) then return true end
  for _, queue in ipairs(lists_of(id)) do
    local place = redis.pcall('LPOS', queue, id)
    if place and not is_error(place) then return true end
  end
  return false
end

-- Stop requests for a job that is over are not left behind (PROTOCOLS, Stop). True when there was one.
local function clear_requests(id, kind, claimed_by)
  local removed = redis.pcall('LREM', control_key(kind), 0, id)
  local found = not is_error(removed) and removed > 0
  local own = claimer_control_key(claimed_by)
  if not own then return found end
  removed = redis.pcall('LREM', own, 0, id)
  return found or (not is_error(removed) and removed > 0)
end
