#!lua
-- needs: keys record fate
-- Claims jobs for one worker: looks, validates, pops and leases in one step.
-- Keeps true: a popped id is leased, buried or a twin, never lost (HD3, HD4); only a `dispatched` job is claimed, so no
-- job is claimed twice; its twin in the other family goes at the claim (HC1); the order instance → group → type ×
-- priority, then legacy, is that of the arguments (PROTOCOLS, Consumption). Without allow-oom the server refuses it as a
-- whole when memory is short: nothing is popped.
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 how many at most, 2 group, 3 instance, 4 lease ms, 5 token seed, 6 served end LEFT or RIGHT, 7 number of types,
--       then the types, then a character for each queue: that of the code 48 + number of its type, 0 for a legacy queue
--       with jobs of any type (one that says none is of the first), then the place of the queue where a job is expected,
--       then the queues. They stand here and not in KEYS, so that one that the user may not read is skipped and does not
--       refuse the others (RELIABILITY 3).
-- Returns {1 when there may be more to look at else 0, then the claims in the order in which they were taken: for those that
--         follow one another and have this in common a list of place of the queue, number of the type, the list of these
--         common values (`hand_out`) and then id and script of each; and for one that others wrote in
--         their words a list of place, number, id and one flat list of the whole hash as it is now}. The token of each
--         is the seed: with the id it is of one attempt alone.
local want, group, instance, lease_ms, seed = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local is_fifo = ARGV[6] ~= 'LEFT'
local pop = is_fifo and 'RPOP' or 'LPOP'
local type_count = tonumber(ARGV[7])
local looks = 1000
-- What does not fit into the reply would be claimed and never arrive, again and again.
local MOST_BYTES = 16 * 1024 * 1024
local room = 24 * 1024 * 1024

local at = server_ms()
local stamp, deadline = stamp_of(at), whole(at + lease_ms)
local result = { 0 }

-- The places of a record's values as they are read: first what every job has, then what most do not have.
local STATUS, SCRIPT, TYPE, TIMEOUT, CONCURRENT, ENV, CALLER, CONTEXT, RETRIES, ATTEMPT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
local WORKER, ACCESS, QUEUES, NOT_BEFORE, PROGRESS = 11, 13, 14, 15, 16

-- Written as we write it: then none of these is missing, none is empty whose value may stand in another spelling, and
-- nothing is in the spellings of others.
local function is_in_our_words(r)
  return r[SCRIPT] and r[SCRIPT] ~= '' and r[TYPE] and r[TYPE] ~= '' and r[TIMEOUT] and r[CONCURRENT] and r[ENV]
    and r[CALLER] and r[CONTEXT] and not r.has_other_words
end

local function read_rest(key, record)
  local rest = redis.call('HMGET', key, 'worker_id', 'log_path', 'access', 'queues', 'not_before', 'progress', 'logPath',
    'actor_id', 'actorId', 'callerId', 'contextId')
  for i, value in ipairs(rest) do
    if i <= PROGRESS - ATTEMPT then
      record[ATTEMPT + i] = value
    elseif value and value ~= '' then
      record.has_other_words = true
    end
  end
end

-- Dispatched, in our words, and in no second queue. What submit_plain wrote, has never been claimed and still has as many
-- fields as then has none of those that most do not have, and no other spellings: then these are not looked for (a look
-- at all names would cost each claim a third more).
local function is_plain(key, r)
  if r[STATUS] ~= 'dispatched' or not is_in_our_words(r) or #r[SCRIPT] + #r[ENV] > math.min(MOST_BYTES, room) then
    return false
  end
  if r[ATTEMPT] == '0' and redis.pcall('HLEN', key) == PLAIN_FIELDS then return true end
  read_rest(key, r)
  return not (r[WORKER] or r[QUEUES] or r.has_other_words)
end

local claimers = {} -- by number of the type
local function claimer_of(number)
  if not claimers[number] then claimers[number] = ARGV[7 + number] .. ':' .. group .. ':' .. instance end
  return claimers[number]
end

-- What a plain claim does without: it is made when a job is not plain, because every run of a script makes each of its
-- functions anew.
local seldom
local function make_seldom()
  -- needs: keys record fate
  local REQUEUE_GRACE_MS, REPLY_MS = 60000, 300000
  local REASONS = { -- of verdicts that end a job
    ['too large'] = 'larger than the 16 MiB that a worker takes',
    ['not ours'] = 'this worker does not run scripts of this type',
    stopped = 'stopped'
  }
  local number_of = {} -- by type
  for i = 1, type_count do number_of[ARGV[7 + i]] = i end

  local function bytes_of(id, record)
    if is_in_our_words(record) then return #record[SCRIPT] + #record[ENV] end
    local bytes = 0
    for _, value in ipairs(redis.call('HVALS', job_key(id))) do bytes = bytes + #value end
    return bytes
  end

  local function verdict_of(id, number, record)
    local key = job_key(id)
    if is_error(record) then return 'not a job record', number end
    if not record[STATUS] then return redis.call('EXISTS', key) == 1 and 'no status' or 'no record', number end
    if number == 0 then
      local kind = string.lower(filled(record[TYPE], redis.call('HGET', key, 'scriptType')))
      number = kind == '' and 1 or number_of[kind]
    end
    local status = string.lower(string.sub(record[STATUS], 1, 64))
    if status == 'dispatched' then return number and 'mine' or 'not ours', number end
    if not KNOWN[status] then return 'unknown status', number end
    if status ~= 'started' or redis.call('ZSCORE', KEYS[2 * (number or 1) - 1], id) then return 'stale', number end
    -- Queued again by a foreign monitor that leaves the status (HD6): only when nobody can still be running it.
    local times = redis.call('HMGET', key, 'updated_at', 'updatedAt', 'timeout')
    local since, timeout = ms_of(filled(times[1], times[2])), timeout_of(times[3])
    if number and since and timeout > 0 and since + timeout * 1000 + REQUEUE_GRACE_MS < at then return 'mine', number end
    return 'stale', number
  end

  local known = {} -- of twins' queues and stop requests: most do not exist, and looking for an id in a long one is not cheap
  local function is_there(list)
    if known[list] == nil then known[list] = redis.pcall('EXISTS', list) == 1 end
    return known[list]
  end

  -- Whether somebody asked to stop it before anybody ran it, as other producers do (PROTOCOLS, Stop).
  local function is_stopped(id, number, record)
    local worker = is_in_our_words(record) and (record[WORKER] or '') or worker_of(id)
    local lists = {}
    for _, list in ipairs(request_lists(ARGV[7 + number], claimer_of(number), worker)) do
      if is_there(list) then lists[#lists + 1] = list end
    end
    return is_in_any(id, lists)
  end

  -- The verdict and the number of the job's type. Verdicts: 'mine', 'later' (this reply is full), 'stale' (the id is
  -- dropped), 'not ours' (another type was sent to this worker), 'stopped', 'too large' or the reason why it is dead.
  local function judge(id, number, record)
    local verdict, own = verdict_of(id, number, record)
    if not is_error(record) and record[STATUS] and record[WORKER] == nil then read_rest(job_key(id), record) end
    if verdict ~= 'mine' then return verdict, own end
    if is_stopped(id, own, record) then return 'stopped', own end
    local bytes = bytes_of(id, record)
    if bytes > MOST_BYTES then return 'too large', own end
    if bytes > room then return 'later', own end
    room = room - bytes
    return verdict, own
  end
  local function take_out(id, queue)
    if is_there(queue) then redis.pcall('LREM', queue, 0, id) end
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
    local worker = is_in_our_words(record) and (record[WORKER] or '') or worker_of(id)
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
    local reason = REASONS[verdict]
    if reason then
      if verdict == 'stopped' then clear_requests(id, kind, claimer_of(job.number)) end
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

-- Which jobs have a stop request that came before anybody claimed them; nil when each may have one, or a twin in the
-- first document's queue of their type. Usually there is none of these lists.
local unusual = {} -- by number of the type
local function unusual_of(number)
  if unusual[number] == nil then
    local kind = ARGV[7 + number]
    local twins, controls = legacy_keys(kind, '')[1], { control_key(kind), claimer_control_key(claimer_of(number)) }
    local ids = {}
    if redis.pcall('EXISTS', twins, unpack(controls)) ~= 0 then
      ids = redis.pcall('EXISTS', twins) == 0 and ids_in(controls, want)
    end
    unusual[number] = ids or false
  end
  return unusual[number] or nil
end

-- The leases of all that will be taken from a queue. First of all, because one that is refused must have changed nothing.
local function lease(mine, held)
  local leases, claims = {}, {} -- by number of the type
  for _, job in ipairs(mine) do
    local of_type, tokens = leases[job.number], claims[job.number]
    if not of_type then
      of_type, tokens = {}, {}
      leases[job.number], claims[job.number] = of_type, tokens
    end
    of_type[#of_type + 1], of_type[#of_type + 2] = deadline, job.id
    tokens[#tokens + 1], tokens[#tokens + 2] = job.id, held
  end
  for number, of_type in pairs(leases) do
    redis.call('ZADD', KEYS[2 * number - 1], unpack(of_type))
    redis.call('HSET', KEYS[2 * number], unpack(claims[number]))
    redis.pcall('SADD', TYPES, ARGV[7 + number])
  end
end

local function start(job)
  local number, record = job.number, job.record
  local claimer = claimer_of(number)
  local attempt = record[ATTEMPT]
  attempt = attempt and attempt ~= '0' and whole(count_of(attempt) + 1) or '1'
  redis.call('HSET', job.key, 'status', 'started', 'claim', seed, 'claimed_by', claimer, 'started_at', stamp, 'updated_at',
    stamp, 'attempt', attempt)
  if record[NOT_BEFORE] or record[PROGRESS] then redis.call('HDEL', job.key, 'not_before', 'progress') end
end

-- What a run needs of a record beside its script is told as core/protocol/hero/job_codec.cpp reads it; and the retries,
-- for who brings a job back that this store lost while it ran.
local function hand_out(mine, queue, place)
  local list, first -- the last list of jobs that have all in common, and the record of its first one
  for _, job in ipairs(mine) do
    local number, record = job.number, job.record
    local is_short = record[WORKER] == nil -- the rest was not looked for
    if not job.is_plain then
      seldom.take_twin_out(job.id, queue, ARGV[7 + number], record)
      seldom.remember_queue(job.id, queue, record)
    end
    if not is_in_our_words(record) then
      list, result[#result + 1] = nil, { place, number, job.id, redis.call('HGETALL', job.key) }
    elseif list and is_short and record[TYPE] == first[TYPE] and record[TIMEOUT] == first[TIMEOUT]
      and record[CONCURRENT] == first[CONCURRENT] and record[ENV] == first[ENV] and record[CALLER] == first[CALLER]
      and record[CONTEXT] == first[CONTEXT] and record[RETRIES] == first[RETRIES] then
      list[#list + 1], list[#list + 2] = job.id, record[SCRIPT]
    else
      local last = is_short and RETRIES or ACCESS
      while not record[last] do last = last - 1 end
      list, first = { place, number, { unpack(record, TYPE, last) }, job.id, record[SCRIPT] }, record
      result[#result + 1] = list
      if not is_short then list = nil end
    end
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

local claimed = 0
local function serve(ids, number, queue, place)
  local mine, others, seen = {}, {}, {}
  local asked = number > 0 and is_canonical(queue) and unusual_of(number)
  for at_id, id in ipairs(ids) do
    if not seen[id] then -- an id that is there twice is taken once
      seen[id] = true
      local key = job_key(id)
      local record = redis.pcall('HMGET', key, 'status', 'script', 'script_type', 'timeout', 'concurrent', 'env_vars',
        'caller_id', 'context_id', 'retries', 'attempt')
      local job = { id = id, key = key, record = record, number = number,
        is_plain = asked and not asked[id] and is_plain(key, record) }
      local verdict = 'mine'
      if job.is_plain then
        room = room - #record[SCRIPT] - #record[ENV]
      else
        verdict, job.number = (seldom or make_seldom()).judge(id, number, record)
      end
      if verdict == 'later' then
        for rest = #ids, at_id, -1 do ids[rest] = nil end
        looks = 0
        break
      end
      if verdict == 'mine' then
        mine[#mine + 1] = job
      else
        job.verdict, others[#others + 1] = verdict, job
      end
    end
  end
  lease(mine, seed .. '|' .. queue)
  for _, job in ipairs(mine) do start(job) end
  if #ids == 1 then redis.call(pop, queue) elseif #ids > 1 then redis.call(pop, queue, #ids) end
  hand_out(mine, queue, place)
  for _, job in ipairs(others) do seldom.drop(job, queue) end
  claimed = claimed + #mine
end

-- Where a job is expected comes first only when there is nothing that is served before it.
local numbers, expected, first = ARGV[8 + type_count], tonumber(ARGV[9 + type_count]), 10 + type_count
local is_next = expected > 1 and redis.pcall('EXISTS', unpack(ARGV, first, first + expected - 2)) == 0
local place = is_next and expected or 1
while claimed < want and looks > 0 and ARGV[first + place - 1] do
  local queue = ARGV[first + place - 1]
  local ids = look(queue, math.min(want - claimed, looks))
  if ids[1] then
    looks = looks - #ids
    serve(ids, string.byte(numbers, place) - 48, queue, place)
  else
    place = place + 1
  end
end
result[1] = looks == 0 and 1 or 0
return result
