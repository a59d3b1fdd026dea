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
local is_fifo = ARGV[6] ~= 'LEFT'
local pop = is_fifo and 'RPOP' or 'LPOP'
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
  local record = redis.pcall('HMGET', job_key(id), 'status', 'queues', 'attempt', 'not_before', 'worker_id', 'actor_id',
    'actorId', 'progress')
  if is_error(record) then return 'not a job record', number end
  if not record[1] then return redis.call('EXISTS', job_key(id)) == 1 and 'no status' or 'no record', number end
  if number == 0 then
    local said = redis.call('HMGET', job_key(id), 'script_type', 'scriptType')
    local kind = string.lower(said[1] or said[2] or '')
    number = kind == '' and 1 or number_of[kind]
  end
  local status = string.lower(string.sub(record[1], 1, 64))
  if status == 'dispatched' then return number and 'mine' or 'not ours', number, record end
  if not KNOWN[status] then return 'unknown status', number, record end
  if status ~= 'started' or redis.call('ZSCORE', KEYS[2 * (number or 1) - 1], id) then return 'stale', number end
  -- Queued again by a foreign monitor that leaves the status (HD6): only when nobody can still be running it.
  local times = redis.call('HMGET', job_key(id), 'updated_at', 'updatedAt', 'timeout')
  local since, timeout = ms_of(times[1] or times[2]), timeout_of(times[3])
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
  if record[2] or not is_canonical(queue) then
    local _, queues = route_of(id)
    for _, other in ipairs(queues) do
      if other ~= queue then take_out(id, other) end
    end
    return
  end
  for _, other in ipairs(legacy_keys(kind, record[5] or record[6] or record[7] or '')) do take_out(id, other) end
end

local is_registered = {} -- by number of the type
local function register(number, kind)
  if redis.call('EXISTS', KEYS[2 * number - 1]) == 0 then redis.pcall('SADD', TYPES, kind) end
  is_registered[number] = true
end

-- The leases of all that will be taken from a queue. First of all, because one that is refused must have changed nothing.
local function lease(mine, queue)
  local leases, claims = {}, {}
  for _, job in ipairs(mine) do
    local number = job.number
    leases[number], claims[number] = leases[number] or {}, claims[number] or {}
    local of_type, tokens = leases[number], claims[number]
    of_type[#of_type + 1], of_type[#of_type + 2] = at + lease_ms, job.id
    tokens[#tokens + 1], tokens[#tokens + 2] = job.id, job.token .. '|' .. queue
  end
  for number, of_type in pairs(leases) do
    if not is_registered[number] then register(number, ARGV[7 + number]) end
    redis.call('ZADD', KEYS[2 * number - 1], unpack(of_type))
    redis.call('HSET', KEYS[2 * number], unpack(claims[number]))
  end
end

local function start(job)
  local kind, record = ARGV[7 + job.number], job.record
  redis.call('HSET', job_key(job.id), 'status', 'started', 'claim', job.token, 'claimed_by',
    kind .. ':' .. group .. ':' .. instance, 'started_at', stamp, 'updated_at', stamp, 'attempt', count_of(record[3]) + 1)
  if record[4] or record[8] then redis.call('HDEL', job_key(job.id), 'not_before', 'progress') end
end

local function hand_out(job, queue)
  local key, kind, record = job_key(job.id), ARGV[7 + job.number], job.record
  take_twin_out(job.id, queue, kind, record)
  if not record[2] and not is_canonical(queue) then redis.call('HSET', key, 'queues', encode_ids({ queue })) end
  result[#result + 1] = { job.id, job.token, queue, kind, redis.call('HGETALL', key) }
end

local function drop(job, queue)
  local id, verdict, kind = job.id, job.verdict, ARGV[7 + (job.number and job.number > 0 and job.number or 1)]
  if job.record then take_twin_out(id, queue, kind, job.record) end
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

-- Up to `most` ids in the order in which they are served; none when the queue cannot be read.
local function look(queue, most)
  if most == 1 then
    local id = redis.pcall('LINDEX', queue, is_fifo and '-1' or '0')
    return id and not is_error(id) and { id } or {}
  end
  local ids = redis.pcall('LRANGE', queue, is_fifo and -most or 0, is_fifo and -1 or most - 1)
  if is_error(ids) then return {} end
  local last = #ids
  for i = 1, is_fifo and math.floor(last / 2) or 0 do ids[i], ids[last + 1 - i] = ids[last + 1 - i], ids[i] end
  return ids
end

local tokens = 0
local function serve(ids, number, queue)
  local jobs, mine, seen = {}, {}, {}
  for i, id in ipairs(ids) do
    local verdict, own, record, token = 'stale', number, nil, nil -- an id that is there twice is taken once
    if not seen[id] then verdict, own, record = judge(id, number) end
    if verdict == 'mine' then
      tokens = tokens + 1
      token = seed .. '-' .. tokens
    end
    local job = { id = id, verdict = verdict, number = own, record = record, token = token }
    seen[id], jobs[i] = true, job
    if token then mine[#mine + 1] = job end
  end
  lease(mine, queue)
  for _, job in ipairs(mine) do start(job) end
  if #ids == 1 then redis.call(pop, queue) else redis.call(pop, queue, #ids) end
  for _, job in ipairs(jobs) do
    if job.token then hand_out(job, queue) else drop(job, queue) end
  end
end

for i = 8 + type_count, #ARGV, 2 do
  local queue = ARGV[i + 1]
  while #result <= want and looks > 0 do
    local ids = look(queue, math.min(want + 1 - #result, looks))
    if not ids[1] then break end
    looks = looks - #ids
    serve(ids, tonumber(ARGV[i]), queue)
  end
end
result[1] = looks == 0 and 1 or 0
return result
