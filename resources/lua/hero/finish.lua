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
local reply_ms, type_count = ARGV[1], tonumber(ARGV[2])
local at = server_ms()
local stamp = stamp_of(at)

local runs, ids_of = {}, {} -- in their order; the ids of each type
local word = 3 + type_count
while ARGV[word] do
  local number, id, ending = tonumber(ARGV[word]), ARGV[word + 1], ARGV[word + 3]
  local ids = ids_of[number] or {}
  ids[#ids + 1], ids_of[number] = id, ids
  runs[#runs + 1] = { id = id, key = job_key(id), number = number, place = #ids, token = ARGV[word + 2], ending = ending,
    word = word, record = false, queue = false, field = false, due = false } -- room for what is judged
  word = word + (ending == 'finished' and 8 or 10)
end
local OUTPUT, WORKER, RUN_MS, KEPT, REASON, JITTER = 4, 5, 6, 7, 8, 9 -- from a run's first word

local held_of, ended = {}, {} -- by number of the type: what the claims say, whose claims end
for number, ids in pairs(ids_of) do
  held_of[number], ended[number] = redis.call('HMGET', KEYS[2 * number], unpack(ids)), {}
end

local tallies = {} -- what is counted of each queue
local function tally(run)
  local of_queue = tallies[run.queue] or { finished = 0, error = 0, retried = 0, run_ms = 0 }
  local field = run.due and 'retried' or run.ending == 'finished' and 'finished' or 'error'
  of_queue[field], of_queue.run_ms = of_queue[field] + 1, of_queue.run_ms + tonumber(ARGV[run.word + RUN_MS])
  tallies[run.queue] = of_queue
end

local STATUS, ATTEMPT, CLAIMED_BY, DEPENDENTS, ERROR, QUEUES, PROGRESS = 1, 2, 3, 4, 5, 6, 7

-- What an ordinary end does without: it is made when a run is not ordinary, because every run of a script makes each of its
-- functions anew.
local seldom
local function make_seldom()
  -- needs: keys record fate
  local RETRY_BASE_MS, RETRY_LIMIT_MS = 1000, 300000
  local KEPT_RUNS = 20

  local function reason_of(run) return run.ending ~= 'finished' and ARGV[run.word + REASON] or '' end

  -- The outcome of a run that is not this worker's to end.
  local function outcome_of_other(run, present)
    local record = redis.call('HMGET', run.key, 'claim', 'output', 'error')
    if record[1] ~= run.token then return 'stale' end
    if present == 'dispatched' and run.ending ~= 'finished' then return 'retry' end
    local same = present == (run.ending == 'finished' and 'finished' or 'error')
      and (record[2] or '') == ARGV[run.word + OUTPUT] and (record[3] or '') == reason_of(run)
    return same and 'committed' or 'stale'
  end

  -- How many times the job itself has failed when this retry is allowed, else nil.
  local function failures_before_retry(run)
    if run.ending ~= 'retry' then return nil end
    local record = redis.call('HMGET', run.key, 'rescues', 'retries')
    -- Rescues are the worker's fault, not the job's: they use up no retry (I5).
    local failures = math.max(count_of(run.record[ATTEMPT]) - count_of(record[1]), 1)
    return failures <= count_of(record[2]) and failures or nil
  end

  -- Decides about what is not ordinary, and writes nothing.
  local function judge(run, present)
    if not run.record then return outcome_of_other(run, string.lower(string.sub(present or '', 1, 64))) end
    local failures = failures_before_retry(run)
    if not failures then return 'committed' end
    run.due = at + math.floor(tonumber(ARGV[run.word + JITTER])
      * math.min(RETRY_LIMIT_MS, RETRY_BASE_MS * 2 ^ math.min(failures - 1, 20)))
    return 'retry'
  end

  local function write(run)
    local key, record, output, kept = run.key, run.record, ARGV[run.word + OUTPUT], ARGV[run.word + KEPT]
    if run.due then
      redis.call('HSET', key, 'status', 'dispatched', 'output', output, 'error', reason_of(run), 'updated_at', stamp,
        'not_before', stamp_of(run.due), run.field, kept)
    elseif run.ending ~= 'finished' then
      redis.call('HSET', key, 'status', 'error', 'output', output, 'error', reason_of(run), 'updated_at', stamp,
        'finished_at', stamp, run.field, kept)
    else
      redis.call('HSET', key, 'status', 'finished', 'output', output, 'updated_at', stamp, 'finished_at', stamp,
        run.field, kept)
      if record[ERROR] then redis.call('HDEL', key, 'error') end
    end
    if record[PROGRESS] then redis.call('HDEL', key, 'progress') end
    local attempt = count_of(record[ATTEMPT])
    if attempt > KEPT_RUNS then redis.call('HDEL', key, 'run_' .. attempt - KEPT_RUNS) end
  end

  -- Tells everybody who waits for the job.
  local function announce(run)
    local record, is_finished = run.record, run.ending == 'finished'
    push_reply(run.id, is_finished and ARGV[run.word + OUTPUT] or reason_of(run), reply_ms,
      record[QUEUES] or not is_canonical(run.queue))
    local dependents = record[DEPENDENTS] or ''
    if dependents == '' or dependents == '[]' then return end
    if is_finished then
      release_dependents(run.id, stamp, reply_ms)
    else
      fail_dependents(run.id, stamp, reply_ms)
    end
  end

  seldom = { judge = judge, write = write, announce = announce }
  return seldom
end

-- Finished, from a canonical queue, and nobody but the one who asked waits for it.
local function is_ordinary(run)
  local record = run.record
  return run.ending == 'finished' and record[DEPENDENTS] == '[]'
    and not (record[ERROR] or record[QUEUES] or record[PROGRESS]) and #(record[ATTEMPT] or '') == 1 and is_canonical(run.queue)
end

-- The queue that the claim of this run came from; nil when the claim is not its own. Most came from the same one.
local last_queue, last_mark = '', '|'
local function queue_of(run)
  local held, token = held_of[run.number][run.place], run.token
  if not held then return nil end
  if held == token .. last_mark then return last_queue end
  if string.sub(held, 1, #token + 1) ~= token .. '|' then return nil end
  last_mark = string.sub(held, #token + 1)
  last_queue = string.sub(last_mark, 2)
  return last_queue
end

-- Decides about a run and writes nothing.
local function judge(run)
  local record = redis.pcall('HMGET', run.key, 'status', 'attempt', 'claimed_by', 'dependents', 'error', 'queues',
    'progress')
  if is_error(record) then return 'stale' end
  local queue = queue_of(run)
  if queue then -- the claim ends also when somebody else ended the job: then it is of no more use
    local ids = ended[run.number]
    ids[#ids + 1] = run.id
  end
  local status = record[STATUS]
  if queue and (status == 'started' or string.lower(string.sub(status or '', 1, 64)) == 'started') then
    run.record, run.queue = record, queue
    run.field = 'run_' .. (count_of(record[ATTEMPT]) > 0 and record[ATTEMPT] or '0')
    run.is_ordinary = is_ordinary(run)
    if run.is_ordinary then return 'committed' end
  end
  return (seldom or make_seldom()).judge(run, status)
end

local function write(run)
  if run.is_ordinary then
    redis.call('HSET', run.key, 'status', 'finished', 'output', ARGV[run.word + OUTPUT], 'updated_at', stamp, 'finished_at',
      stamp, run.field, ARGV[run.word + KEPT])
  else
    seldom.write(run)
  end
  tally(run)
end

-- The lists with stop requests for a run of this worker; seldom is there one.
local requests_of = {}
local function lists_of_requests(run)
  local claimed_by, worker = run.record[CLAIMED_BY] or '', ARGV[run.word + WORKER]
  local who = worker == '' and claimed_by or claimed_by .. '|' .. worker
  local lists = requests_of[who]
  if lists then return lists end
  lists = {}
  for _, list in ipairs(request_lists(ARGV[2 + run.number], claimed_by, worker)) do
    if redis.pcall('EXISTS', list) ~= 0 then lists[#lists + 1] = list end
  end
  requests_of[who] = lists
  return lists
end

local function announce(run)
  for _, list in ipairs(lists_of_requests(run)) do redis.pcall('LREM', list, 0, run.id) end
  if not run.is_ordinary then return seldom.announce(run) end
  local reply = reply_key(run.id)
  if not is_error(redis.pcall('LPUSH', reply, ARGV[run.word + OUTPUT])) then redis.pcall('PEXPIRE', reply, reply_ms) end
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
  for field, by in pairs(fields) do
    if by > 0 then count(queue, field, by) end
  end
end
for _, run in ipairs(runs) do
  if run.record and not run.due then announce(run) end
end
return outcomes
