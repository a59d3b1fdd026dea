#!lua
-- needs: keys record fate
-- Claims jobs for one worker: looks, validates, pops and leases in one step.
-- Keeps true: a popped id is leased, buried or a twin, never lost (HD3, HD4); only a `dispatched` job is claimed, so no
-- job is claimed twice; its twin in the other family goes at the claim (HC1); the order instance → group → type ×
-- priority, then legacy, is that of the arguments (PROTOCOLS, Consumption). Without allow-oom the server refuses it as a
-- whole when memory is short: nothing is popped.
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 how many at most, 2 group, 3 instance, 4 lease ms, 5 token seed, 6 served end LEFT or RIGHT, 7 number of types,
--       then the types, then a pair for each queue: number of its type, key. 0: a legacy queue with jobs of any type; one
--       that says none is of the first. Queues stand here and not in KEYS, so that one that the user may not read is
--       skipped and does not refuse the others (RELIABILITY 3).
-- Returns {1 when there may be more to look at else 0, then for each claim {id, token, queue, type, hash as flat list}}.
local want, group, instance, lease_ms, seed = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local pop = ARGV[6] == 'LEFT' and 'LPOP' or 'RPOP'
local index = ARGV[6] == 'LEFT' and '0' or '-1'
local type_count = tonumber(ARGV[7])
local REQUEUE_GRACE_MS, REPLY_MS = 60000, 300000
local looks = 1000

local at = server_ms()
local stamp = stamp_of(at)
local result = { 0 }

local number_of = {}
for i = 1, type_count do number_of[ARGV[7 + i]] = i end

-- The verdict, the number of the job's type and what else is needed of its record. Verdicts: 'mine', 'stale' (the id is
-- dropped), 'not ours' (another type was sent to this worker) or the reason why it is dead.
local function judge(id, number)
  local record = redis.pcall('HMGET', job_key(id), 'status', 'updated_at', 'updatedAt', 'timeout', 'script_type',
    'scriptType', 'queues', 'worker_id', 'actor_id', 'actorId', 'attempt', 'not_before', 'progress')
  if is_error(record) then return 'not a job record', number end
  if not record[1] then return redis.call('EXISTS', job_key(id)) == 1 and 'no status' or 'no record', number end
  if number == 0 then
    local kind = string.lower(record[5] or record[6] or '')
    number = kind == '' and 1 or number_of[kind]
  end
  local status = string.lower(string.sub(record[1], 1, 64))
  if status == 'dispatched' then return number and 'mine' or 'not ours', number, record end
  if not KNOWN[status] then return 'unknown status', number, record end
  if status ~= 'started' or redis.call('ZSCORE', KEYS[2 * (number or 1) - 1], id) then return 'stale', number end
  -- Queued again by a foreign monitor that leaves the status (HD6): only when nobody can still be running it.
  local since, timeout = ms_of(record[2] or record[3]), timeout_of(record[4])
  if number and since and timeout > 0 and since + timeout * 1000 + REQUEUE_GRACE_MS < at then
    return 'mine', number, record
  end
  return 'stale', number
end

local is_there = {} -- of the twins' queues: most do not exist, and looking for an id in a long one is not cheap
local function take_out(id, queue)
  if is_there[queue] == nil then is_there[queue] = redis.pcall('EXISTS', queue) == 1 end
  if is_there[queue] then redis.pcall('LREM', queue, 0, id) end
end

-- An id that was pushed to both families would be run again by a worker that looks at no status (HC1).
local function take_twin_out(id, queue, kind, record)
  if record[7] or not is_canonical(queue) then
    local _, queues = route_of(id)
    for _, other in ipairs(queues) do
      if other ~= queue then take_out(id, other) end
    end
    return
  end
  for _, other in ipairs(legacy_keys(kind, record[8] or record[9] or record[10] or '')) do take_out(id, other) end
end

local is_registered = {} -- by number of the type
local function register(number, kind)
  if redis.call('EXISTS', KEYS[2 * number - 1]) == 0 then redis.pcall('SADD', TYPES, kind) end
  is_registered[number] = true
end

local function take(id, queue, number, record)
  local key, token, kind = job_key(id), seed .. '-' .. #result, ARGV[7 + number]
  redis.call('HSET', key, 'status', 'started', 'claim', token, 'claimed_by', kind .. ':' .. group .. ':' .. instance,
    'started_at', stamp, 'updated_at', stamp, 'attempt', count_of(record[11]) + 1)
  if record[12] or record[13] then redis.call('HDEL', key, 'not_before', 'progress') end
  redis.call(pop, queue)
  take_twin_out(id, queue, kind, record)
  if not record[7] and not is_canonical(queue) then redis.call('HSET', key, 'queues', encode_ids({ queue })) end
  if not is_registered[number] then register(number, kind) end
  redis.call('ZADD', KEYS[2 * number - 1], at + lease_ms, id)
  redis.call('HSET', KEYS[2 * number], id, token .. '|' .. queue)
  result[#result + 1] = { id, token, queue, kind, redis.call('HGETALL', key) }
end

local function drop(id, queue, kind, verdict, record)
  redis.call(pop, queue)
  if record then take_twin_out(id, queue, kind, record) end
  if verdict == 'stale' then return end
  if verdict == 'not ours' then
    close_with_error(id, 'this worker does not run scripts of this type', stamp, REPLY_MS, true)
    return fail_dependents(id, stamp, REPLY_MS)
  end
  bury(kind, id)
  if verdict == 'no status' or verdict == 'unknown status' then
    redis.call('HSET', job_key(id), 'dead_reason', verdict)
  end
end

for i = 8 + type_count, #ARGV, 2 do
  local number, queue = tonumber(ARGV[i]), ARGV[i + 1]
  while #result <= want and looks > 0 do
    local id = redis.pcall('LINDEX', queue, index)
    if not id or is_error(id) then break end
    looks = looks - 1
    local verdict, own, record = judge(id, number)
    if verdict == 'mine' then
      take(id, queue, own, record)
    else
      drop(id, queue, ARGV[7 + (own and own > 0 and own or 1)], verdict, record)
    end
  end
end
result[1] = looks == 0 and 1 or 0
return result
