#!lua flags=allow-oom
-- needs: keys record fate
-- Commits the ends of runs, each for itself.
-- Keeps true: one terminal commit per job, by the holder of the token (I4, I6); a failed run with attempts left waits in
-- hero:q:delayed (I1); reply lists expire (HD12); what waits for the job is released or failed in the same step (I9).
-- Repeating a commit that took place answers as the first time and changes nothing.
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 reply TTL ms, 2 number of types, then the types, then for each run: number of its type, id, token, 'finished',
--       'error' or 'retry' (an error after which one is allowed), output, legacy worker or '', run time ms, what is kept of
--       this run and, unless it finished, error and jitter 0…1
-- Returns for each run 'committed', 'retry' or 'stale'.
local RETRY_BASE_MS, RETRY_LIMIT_MS = 1000, 300000
local KEPT_RUNS = 20
local reply_ms, type_count = ARGV[1], tonumber(ARGV[2])
local at = server_ms()
local stamp = stamp_of(at)

local runs, ids_of = {}, {} -- in their order; the ids of each type
local word = 3 + type_count
while ARGV[word] do
  local number, id, ending = tonumber(ARGV[word]), ARGV[word + 1], ARGV[word + 3]
  local is_finished = ending == 'finished'
  local ids = ids_of[number] or {}
  ids[#ids + 1], ids_of[number] = id, ids
  runs[#runs + 1] = { id = id, number = number, place = #ids, key = job_key(id), token = ARGV[word + 2],
    status = is_finished and ending or 'error', may_retry = ending == 'retry', output = ARGV[word + 4],
    worker = ARGV[word + 5], ms = ARGV[word + 6], kept = ARGV[word + 7], reason = is_finished and '' or ARGV[word + 8],
    jitter = not is_finished and ARGV[word + 9], record = false, queue = false, field = false, due = false }
  word = word + (is_finished and 8 or 10)
end

local held_of, ended = {}, {} -- by number of the type: what the claims say, whose claims end
for number, ids in pairs(ids_of) do
  held_of[number], ended[number] = redis.call('HMGET', KEYS[2 * number], unpack(ids)), {}
end

-- The outcome of a run that is not this worker's to end.
local function outcome_of_other(run, present)
  local record = redis.call('HMGET', run.key, 'claim', 'output', 'error')
  if record[1] ~= run.token then return 'stale' end
  if present == 'dispatched' and run.status == 'error' then return 'retry' end
  local same = present == run.status and (record[2] or '') == run.output and (record[3] or '') == run.reason
  return same and 'committed' or 'stale'
end

-- How many times the job itself has failed when this retry is allowed, else nil.
local function failures_before_retry(run, attempt)
  if not run.may_retry then return nil end
  local record = redis.call('HMGET', run.key, 'rescues', 'retries')
  -- Rescues are the worker's fault, not the job's: they use up no retry (I5).
  local failures = math.max(attempt - count_of(record[1]), 1)
  return failures <= count_of(record[2]) and failures or nil
end

local STATUS, ATTEMPT, CLAIMED_BY, DEPENDENTS, ERROR, QUEUES, PROGRESS = 1, 2, 3, 4, 5, 6, 7

-- Decides about a run and writes nothing.
local function judge(run)
  local record = redis.pcall('HMGET', run.key, 'status', 'attempt', 'claimed_by', 'dependents', 'error', 'queues',
    'progress')
  if is_error(record) then return 'stale' end
  local held, token = held_of[run.number][run.place], run.token
  local is_holder = held and string.sub(held, 1, #token + 1) == token .. '|'
  local present = record[STATUS]
  if present ~= 'started' then present = string.lower(string.sub(present or '', 1, 64)) end
  if is_holder then -- the claim ends also when somebody else ended the job: then it is of no more use
    local ids = ended[run.number]
    ids[#ids + 1] = run.id
  end
  if present ~= 'started' or not is_holder then return outcome_of_other(run, present) end

  local attempt = count_of(record[ATTEMPT])
  run.record, run.queue, run.field = record, string.sub(held, #token + 2), 'run_' .. (attempt > 0 and record[ATTEMPT] or '0')
  local failures = failures_before_retry(run, attempt)
  if not failures then return 'committed' end
  run.due = at + math.floor(tonumber(run.jitter) * math.min(RETRY_LIMIT_MS, RETRY_BASE_MS * 2 ^ math.min(failures - 1, 20)))
  return 'retry'
end

local tallies = {} -- what is counted of each queue
local function tally(run)
  local of_queue = tallies[run.queue] or { run_ms = 0 }
  local field = run.due and 'retried' or run.status
  of_queue[field], of_queue.run_ms = (of_queue[field] or 0) + 1, of_queue.run_ms + tonumber(run.ms)
  tallies[run.queue] = of_queue
end

local function write(run)
  local key, record = run.key, run.record
  if run.due then
    redis.call('HSET', key, 'status', 'dispatched', 'output', run.output, 'error', run.reason, 'updated_at', stamp,
      'not_before', stamp_of(run.due), run.field, run.kept)
  elseif run.reason ~= '' then
    redis.call('HSET', key, 'status', run.status, 'output', run.output, 'error', run.reason, 'updated_at', stamp,
      'finished_at', stamp, run.field, run.kept)
  else
    redis.call('HSET', key, 'status', run.status, 'output', run.output, 'updated_at', stamp, 'finished_at', stamp,
      run.field, run.kept)
    if record[ERROR] then redis.call('HDEL', key, 'error') end
  end
  if record[PROGRESS] then redis.call('HDEL', key, 'progress') end
  local attempt = count_of(record[ATTEMPT])
  if attempt > KEPT_RUNS then redis.call('HDEL', key, 'run_' .. attempt - KEPT_RUNS) end
  tally(run)
end

-- The lists with stop requests for a run of this worker; seldom is there one.
local requests_of = {}
local function lists_of_requests(run)
  local who = run.record[CLAIMED_BY] or ''
  if run.worker ~= '' then who = who .. '|' .. run.worker end
  local lists = requests_of[who]
  if lists then return lists end
  lists = {}
  for _, list in ipairs(request_lists(ARGV[2 + run.number], run.record[CLAIMED_BY], run.worker)) do
    if redis.pcall('EXISTS', list) ~= 0 then lists[#lists + 1] = list end
  end
  requests_of[who] = lists
  return lists
end

-- Tells everybody who waits for the job.
local function announce(run)
  local record, id = run.record, run.id
  for _, list in ipairs(lists_of_requests(run)) do redis.pcall('LREM', list, 0, id) end
  push_reply(id, run.status == 'finished' and run.output or run.reason, reply_ms,
    record[QUEUES] or not is_canonical(run.queue))
  local dependents = record[DEPENDENTS] or ''
  if dependents == '' or dependents == '[]' then return end
  if run.status == 'finished' then
    release_dependents(id, stamp, reply_ms)
  else
    fail_dependents(id, stamp, reply_ms)
  end
end

local outcomes, seen = {}, {}
for i, run in ipairs(runs) do
  local twin = seen[run.token]
  outcomes[i] = twin and runs[twin].id == run.id and outcomes[twin] or judge(run)
  seen[run.token] = i
end
-- Before any other write, because a restricted user may be refused here.
for _, run in ipairs(runs) do
  if run.due then redis.call('ZADD', DELAYED, run.due, run.id) end
end
for _, run in ipairs(runs) do
  if run.record then write(run) end
end
for number, ids in pairs(ended) do
  if ids[1] then
    redis.call('ZREM', KEYS[2 * number - 1], unpack(ids))
    redis.call('HDEL', KEYS[2 * number], unpack(ids))
  end
end
for queue, fields in pairs(tallies) do
  for field, by in pairs(fields) do count(queue, field, by) end
end
for _, run in ipairs(runs) do
  if run.record and not run.due then announce(run) end
end
return outcomes
