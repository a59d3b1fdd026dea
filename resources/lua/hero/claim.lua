#!lua
-- needs: keys record
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
-- Returns {1 when there may be more to look at else 0, then for each claim a list: id, token, place of the queue among those
--         pairs, number of the type, and what a run needs of the record: the values that `read` reads, in their order, or,
--         when others wrote it in their words, one flat list of the whole hash as it is now}.
local want, group, instance, lease_ms, seed = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local is_fifo = ARGV[6] ~= 'LEFT'
local pop = is_fifo and 'RPOP' or 'LPOP'
local type_count = tonumber(ARGV[7])
local looks = 1000

local at = server_ms()
local stamp, deadline = stamp_of(at), whole(at + lease_ms)
local result = { 0 }

-- One look is all that an ordinary job costs. core/protocol/hero/job_codec.cpp reads these in this order.
local function read(key)
  return redis.pcall('HMGET', key, 'script', 'script_type', 'timeout', 'concurrent', 'env_vars', 'caller_id', 'context_id',
    'attempt', 'worker_id', 'log_path', 'access', 'status', 'actor_id', 'queues', 'not_before', 'progress')
end
local TYPE, ATTEMPT, WORKER, LAST_VALUE = 2, 8, 9, 11
local STATUS, ACTOR, QUEUES, NOT_BEFORE, PROGRESS = 12, 13, 14, 15, 16

-- Written as we write it: then none of these is missing.
local function is_in_our_words(r) return r[1] and r[2] and r[3] and r[4] and r[5] and r[6] and r[7] end

-- What an ordinary claim does without: it is made when a job is not ordinary, because every run of a script makes each of
-- its functions anew.
local seldom
local function make_seldom()
  -- needs: keys record fate
  local REQUEUE_GRACE_MS, REPLY_MS = 60000, 300000
  local number_of = {} -- by type
  for i = 1, type_count do number_of[ARGV[7 + i]] = i end

  -- What does not fit into the reply would be claimed and never arrive, again and again.
  local MOST_BYTES = 16 * 1024 * 1024
  local room = 24 * 1024 * 1024
  local function bytes_of(id, record)
    if is_in_our_words(record) then return #record[1] + #record[5] end
    local bytes = 0
    for _, value in ipairs(redis.call('HVALS', job_key(id))) do bytes = bytes + #value end
    return bytes
  end

  local function verdict_of(id, number, record)
    local key = job_key(id)
    if is_error(record) then return 'not a job record', number end
    if not record[STATUS] then return redis.call('EXISTS', key) == 1 and 'no status' or 'no record', number end
    if number == 0 then
      local kind = string.lower(record[TYPE] or redis.call('HGET', key, 'scriptType') or '')
      number = kind == '' and 1 or number_of[kind]
    end
    local status = string.lower(string.sub(record[STATUS], 1, 64))
    if status == 'dispatched' then return number and 'mine' or 'not ours', number end
    if not KNOWN[status] then return 'unknown status', number end
    if status ~= 'started' or redis.call('ZSCORE', KEYS[2 * (number or 1) - 1], id) then return 'stale', number end
    -- Queued again by a foreign monitor that leaves the status (HD6): only when nobody can still be running it.
    local times = redis.call('HMGET', key, 'updated_at', 'updatedAt', 'timeout')
    local since, timeout = ms_of(times[1] or times[2]), timeout_of(times[3])
    if number and since and timeout > 0 and since + timeout * 1000 + REQUEUE_GRACE_MS < at then return 'mine', number end
    return 'stale', number
  end

  -- The verdict and the number of the job's type. Verdicts: 'mine', 'later' (this reply is full), 'stale' (the id is
  -- dropped), 'not ours' (another type was sent to this worker), 'too large' or the reason why it is dead.
  local function judge(id, number, record)
    local verdict, own = verdict_of(id, number, record)
    if verdict ~= 'mine' then return verdict, own end
    local bytes = bytes_of(id, record)
    if bytes > MOST_BYTES then return 'too large', own end
    if bytes > room then return 'later', own end
    room = room - bytes
    return verdict, own
  end

  local is_there = {} -- of the twins' queues: most do not exist, and looking for an id in a long one is not cheap
  local function take_out(id, queue)
    if is_there[queue] == nil then is_there[queue] = redis.pcall('EXISTS', queue) == 1 end
    if is_there[queue] then redis.pcall('LREM', queue, 0, id) end
  end

  -- An id that was pushed to both families would be run again by a worker that looks at no status (HC1).
  local function take_twin_out(id, queue, kind, record)
    if record[QUEUES] or not is_canonical(queue) then
      local _, queues = route_of(id)
      for _, other in ipairs(queues) do
        if other ~= queue then take_out(id, other) end
      end
      return
    end
    local worker = record[WORKER] or record[ACTOR] or not is_in_our_words(record) and worker_of(id) or ''
    for _, other in ipairs(legacy_keys(kind, worker)) do take_out(id, other) end
  end

  local function remember_queue(id, queue, record)
    if record[QUEUES] or is_canonical(queue) then return end
    redis.call('HSET', job_key(id), 'queues', encode_ids({ queue }))
  end

  local function drop(job, queue)
    local id, verdict, kind = job.id, job.verdict, ARGV[7 + (job.number and job.number > 0 and job.number or 1)]
    local is_record = not is_error(job.record) and job.record[STATUS]
    if is_record and verdict ~= 'stale' then take_twin_out(id, queue, kind, job.record) end
    if verdict == 'stale' then return end
    if verdict == 'not ours' or verdict == 'too large' then
      local reason = verdict == 'too large' and 'larger than the 16 MiB that a worker takes'
        or 'this worker does not run scripts of this type'
      close_with_error(id, reason, stamp, REPLY_MS, true)
      return fail_dependents(id, stamp, REPLY_MS)
    end
    bury(kind, id)
    if verdict == 'no status' or verdict == 'unknown status' then
      redis.call('HSET', job_key(id), 'dead_reason', verdict)
    end
  end

  seldom = { judge = judge, take_twin_out = take_twin_out, remember_queue = remember_queue, drop = drop }
  return seldom
end

-- The jobs of the first document that name no worker stand in one queue for each type; usually there is none.
local has_type_queue = {} -- by number of the type
local function may_have_twin(number)
  if has_type_queue[number] == nil then
    has_type_queue[number] = redis.pcall('EXISTS', legacy_keys(ARGV[7 + number], '')[1]) ~= 0
  end
  return has_type_queue[number]
end

-- Dispatched, in our words, not large and nothing of what needs a second thought.
local function is_ordinary(record)
  return record[STATUS] == 'dispatched' and is_in_our_words(record) and #record[1] + #record[5] < 524288
    and not (record[WORKER] or record[ACTOR] or record[QUEUES])
end

-- The leases of all that will be taken from a queue. First of all, because one that is refused must have changed nothing.
local function lease(mine, queue)
  local leases, claims = {}, {} -- by number of the type
  for _, job in ipairs(mine) do
    local number = job.number
    local of_type, tokens = leases[number] or {}, claims[number] or {}
    of_type[#of_type + 1], of_type[#of_type + 2] = deadline, job.id
    tokens[#tokens + 1], tokens[#tokens + 2] = job.id, job.token .. '|' .. queue
    leases[number], claims[number] = of_type, tokens
  end
  for number, of_type in pairs(leases) do
    redis.call('ZADD', KEYS[2 * number - 1], unpack(of_type))
    redis.call('HSET', KEYS[2 * number], unpack(claims[number]))
    redis.pcall('SADD', TYPES, ARGV[7 + number])
  end
end

local claimers = {} -- by number of the type
local function start(job)
  local number, record = job.number, job.record
  local claimer = claimers[number] or ARGV[7 + number] .. ':' .. group .. ':' .. instance
  claimers[number] = claimer
  local attempt = record[ATTEMPT] and whole(count_of(record[ATTEMPT]) + 1) or '1'
  redis.call('HSET', job.key, 'status', 'started', 'claim', job.token, 'claimed_by', claimer, 'started_at', stamp,
    'updated_at', stamp, 'attempt', attempt)
  if record[NOT_BEFORE] or record[PROGRESS] then redis.call('HDEL', job.key, 'not_before', 'progress') end
end

local function hand_out(job, queue, place)
  local number, record = job.number, job.record
  if not job.is_ordinary or may_have_twin(number) then
    local rest = seldom or make_seldom()
    rest.take_twin_out(job.id, queue, ARGV[7 + number], record)
    rest.remember_queue(job.id, queue, record)
  end
  if is_in_our_words(record) then
    local last = LAST_VALUE
    while not record[last] do last = last - 1 end
    result[#result + 1] = { job.id, job.token, place, number, unpack(record, 1, last) }
  else
    result[#result + 1] = { job.id, job.token, place, number, redis.call('HGETALL', job.key) }
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
local function serve(ids, number, queue, place)
  local mine, others, seen = {}, {}, {}
  local is_plain = number > 0 and is_canonical(queue)
  for at_id, id in ipairs(ids) do
    if not seen[id] then -- an id that is there twice is taken once
      seen[id] = true
      local key = job_key(id)
      local record = read(key)
      local job = { id = id, key = key, record = record, number = number, verdict = 'mine', token = false,
        is_ordinary = is_plain and is_ordinary(record) }
      if not job.is_ordinary then job.verdict, job.number = (seldom or make_seldom()).judge(id, number, record) end
      if job.verdict == 'later' then
        for rest = #ids, at_id, -1 do ids[rest] = nil end
        looks = 0
        break
      end
      if job.verdict == 'mine' then
        tokens = tokens + 1
        job.token, mine[#mine + 1] = seed .. '-' .. tokens, job
      else
        others[#others + 1] = job
      end
    end
  end
  lease(mine, queue)
  for _, job in ipairs(mine) do start(job) end
  if #ids == 1 then redis.call(pop, queue) elseif #ids > 1 then redis.call(pop, queue, #ids) end
  for _, job in ipairs(mine) do hand_out(job, queue, place) end
  for _, job in ipairs(others) do seldom.drop(job, queue) end
end

for i = 8 + type_count, #ARGV, 2 do
  local queue = ARGV[i + 1]
  while #result <= want and looks > 0 do
    local ids = look(queue, math.min(want + 1 - #result, looks))
    if not ids[1] then break end
    looks = looks - #ids
    serve(ids, tonumber(ARGV[i]), queue, (i - 6 - type_count) / 2)
  end
end
result[1] = looks == 0 and 1 or 0
return result
