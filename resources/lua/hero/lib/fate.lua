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

-- A reply for who waits (PROTOCOLS, Reply); the hash decides, so a refused reply is no failure. Who queued a job in the
-- legacy family may wait in either (RELIABILITY HC6).
local function push_reply(id, text, reply_ms, is_legacy)
  local keys = { reply_key(id), is_legacy and legacy_reply_key(id) or nil }
  for _, key in ipairs(keys) do
    local pushed = redis.pcall('LPUSH', key, text)
    if not is_error(pushed) then redis.pcall('PEXPIRE', key, reply_ms) end
  end
end

-- Pushes to every queue, by LPUSH when nothing else is said; false, and in none of them, when one refuses.
local function push_to(queues, id, push)
  for number, queue in ipairs(queues) do
    if is_error(redis.pcall(push or 'LPUSH', queue, id)) then
      for i = 1, number - 1 do redis.pcall('LREM', queues[i], 1, id) end
      return false
    end
  end
  return #queues > 0
end

-- The first of these keys that can be no queue; nil when all can. To look before the first write.
local function first_wrong(queues)
  for _, queue in ipairs(queues) do
    local listed = redis.call('TYPE', queue).ok
    if listed ~= 'list' and listed ~= 'none' then return queue end
  end
end

-- Why none of these queues took a job, for who has to put that right.
local function why_unqueued(queues)
  local wrong = first_wrong(queues)
  if wrong then return 'no usable queue: ' .. wrong .. ' holds a ' .. redis.call('TYPE', wrong).ok end
  return 'no usable queue: ' .. (queues[1] and queues[1] .. ' cannot be written' or 'the record names none')
end

-- What another type than a sorted set a key holds; nil when jobs can wait there. To look before the first write.
local function wrong_set(key)
  local kind = redis.call('TYPE', key).ok
  return kind ~= 'zset' and kind ~= 'none' and kind or nil
end

local function close_with_error(id, reason, stamp, reply_ms, is_legacy)
  is_legacy = is_legacy or redis.call('HEXISTS', job_key(id), 'queues') == 1
  redis.call('HSET', job_key(id), 'status', 'error', 'error', reason, 'updated_at', stamp, 'finished_at', stamp)
  redis.call('HDEL', job_key(id), 'not_before', 'blocked_by')
  redis.pcall('ZREM', WAITING, id)
  push_reply(id, reason, reply_ms, is_legacy)
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
  local _, queues = route_of(id)
  if state == 'failed' or #queues == 0 then
    close_with_error(id, culprit and 'prerequisite ' .. culprit .. ' failed' or 'no usable script_type', stamp, reply_ms)
    fail_dependents(id, stamp, reply_ms)
    return true
  end
  local due = ms_of(redis.call('HGET', job_key(id), 'not_before'))
  if due and due > server_ms() then
    if is_error(redis.pcall('ZADD', DELAYED, whole(due), id)) then return false end
  elseif not push_to(queues, id) then
    return false
  end
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

-- The queues of one place, of every priority.
local function add_queues(list, kind, group, instance)
  local normal = work_key(kind, group, instance, '1')
  for _, queue in ipairs({ work_key(kind, group, instance, '0'), normal, normal .. ':prio:1',
    work_key(kind, group, instance, '2') }) do list[#list + 1] = queue end
end

-- Every list that a job may stand in, by its target: the priority may have been another one when it was queued, and
-- others may have queued it in the legacy family. And those where others may have left it for more workers than its target
-- says (PROTOCOLS, Routing): when it is in none of the first.
local function lists_of(id)
  local t = redis.call('HMGET', job_key(id), 'script_type', 'scriptType', 'group', 'instance')
  local kind, group, instance = string.lower(filled(t[1], t[2])), t[3] or '', t[4] or ''
  local list, wider = {}, {}
  add_queues(list, kind, group, instance)
  if instance ~= '' then add_queues(wider, kind, group ~= '' and group or 'default', '') end
  if instance ~= '' or group ~= '' then add_queues(wider, kind, '', '') end
  for _, queue in ipairs(legacy_keys(kind, worker_of(id))) do list[#list + 1] = queue end
  local _, queues = route_of(id)
  for _, queue in ipairs(queues) do
    if not is_canonical(queue) then list[#list + 1] = queue end
  end
  return list, wider
end

-- Takes an id out of every list; returns whether it was in one of the legacy family, and the lists it was in.
local function unlist(id)
  redis.pcall('ZREM', DELAYED, id)
  local is_legacy, places, is_found = false, {}, false
  local function take_out(queues)
    for _, queue in ipairs(queues) do
      local removed = redis.pcall('LREM', queue, 0, id)
      if not is_error(removed) and removed > 0 then
        places[#places + 1] = queue
        is_found = is_found or is_canonical(queue)
        is_legacy = is_legacy or not is_canonical(queue)
      end
    end
  end
  local list, wider = lists_of(id)
  take_out(list)
  if not is_found then take_out(wider) end
  return is_legacy, places
end

local function is_in_any(id, lists)
  for _, list in ipairs(lists) do
    local place = redis.pcall('LPOS', list, id)
    if place and not is_error(place) then return true end
  end
  return false
end

-- Whether it is in one of those lists, or will be put there when it is due.
local function is_listed(id)
  local delayed = redis.pcall('ZSCORE', DELAYED, id)
  if delayed and not is_error(delayed) then return true end
  local list, wider = lists_of(id)
  return is_in_any(id, list) or is_in_any(id, wider)
end

-- Where somebody may have asked to stop a job of this type, claimer and legacy worker (PROTOCOLS, Stop).
local function request_lists(kind, claimed_by, worker)
  local lists = { control_key(kind) }
  if worker ~= '' then lists[2] = legacy_stop_key(worker) end
  lists[#lists + 1] = claimer_control_key(claimed_by)
  return lists
end

-- Who is named in these lists, for a script that ends or claims so many jobs: read once, because a request that nobody
-- follows may lie there for long. Nil when they are so long that looking each job up is cheaper.
local function ids_in(lists, jobs)
  local ids = {}
  for _, list in ipairs(lists) do
    local length = redis.pcall('LLEN', list)
    if is_error(length) then length = 0 end -- of another type, which names nobody
    if length > 16 + 32 * jobs then return nil end
    for _, id in ipairs(length > 0 and redis.pcall('LRANGE', list, 0, -1) or {}) do ids[id] = true end
  end
  return ids
end

-- Stop requests for a job that is over are not left behind. True when there was one.
local function clear_requests(id, kind, claimed_by)
  local found = false
  for _, list in ipairs(request_lists(kind, claimed_by, worker_of(id))) do
    local removed = redis.pcall('LREM', list, 0, id)
    found = found or (not is_error(removed) and removed > 0)
  end
  return found
end
