#!lua flags=allow-oom
-- needs: keys record fate
-- Commits the ends of runs, each for itself.
-- Keeps true: one terminal commit per job, by the holder of the token (I4, I6); a failed run with attempts left waits in
-- hero:q:delayed (I1), and ends where that key holds another thing, with a word about it; reply lists expire (HD12); what
-- waits for the job is released or failed in the same step (I9).
-- Repeating a commit that took place answers as the first time and changes nothing.
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 reply TTL ms, 2 number of types, then the types, then groups of runs that have this in common: how many, number
--       of the type, token, the queue that the claims came from, who claimed, its legacy worker id or '', 'finished',
--       'error' or 'retry' (an error after which one is allowed), the field that keeps a run; and then for each run: id,
--       output, run time ms, what is kept of it and, unless it finished, error and jitter 0…1
-- Returns place (from 1) and outcome, 'retry' or 'stale', of each run that was not committed.
local reply_ms, type_count = ARGV[1], tonumber(ARGV[2])
local at = server_ms()
local stamp = stamp_of(at)
local OUTPUT, RUN_MS, KEPT, REASON, JITTER = 1, 2, 3, 4, 5 -- from the first word of a run
local result = {}

local ended = {} -- by number of the type: the ids whose claims end
local function end_claim(number, id)
  local ids = ended[number] or {}
  ids[#ids + 1], ended[number] = id, ids
end

local tallies = {} -- what is counted of each queue
local function tally(queue, field, by, run_ms)
  local of_queue = tallies[queue] or { finished = 0, error = 0, retried = 0, run_ms = 0 }
  of_queue[field], of_queue.run_ms, tallies[queue] = of_queue[field] + by, of_queue.run_ms + run_ms, of_queue
end

-- The lists with stop requests for the runs of a group; seldom is there one.
local function requests_for(group)
  local lists = {}
  for _, list in ipairs(request_lists(ARGV[2 + group.number], group.claimer, group.worker)) do
    if redis.pcall('EXISTS', list) ~= 0 then lists[#lists + 1] = list end
  end
  return lists
end

-- What a plain end does without: it is made when a run is not plain, because every run of a script makes each of its
-- functions anew.
local seldom
local function make_seldom()
  -- needs: keys record fate
  local RETRY_BASE_MS, RETRY_LIMIT_MS = 1000, 300000
  local KEPT_RUNS = 20
  local over = {} -- the runs of jobs that are over now

  local NOT_RETRIED = '\nIt was not tried again: '

  local function error_of(run) return run.group.ending ~= 'finished' and ARGV[run.word + REASON] or '' end

  -- The error that the job ends with.
  local function last_error_of(run)
    if not run.obstacle then return error_of(run) end
    return error_of(run) .. NOT_RETRIED .. DELAYED .. ', where retries wait, holds a ' .. run.obstacle
      .. '. Remove or rename that key, then retry the job.'
  end

  local function is_same_error(run, stored)
    local reason = error_of(run)
    return stored == reason or string.sub(stored, 1, #reason + #NOT_RETRIED) == reason .. NOT_RETRIED
  end

  -- The outcome of a run that is not this worker's to end.
  local function outcome_of_other(run, status)
    local is_finished = run.group.ending == 'finished'
    local record = redis.pcall('HMGET', run.key, 'claim', 'output', 'error')
    if is_error(record) or record[1] ~= run.group.token then return 'stale' end
    if status == 'dispatched' and not is_finished then return 'retry' end
    local same = status == (is_finished and 'finished' or 'error') and (record[2] or '') == ARGV[run.word + OUTPUT]
      and is_same_error(run, record[3] or '')
    return same and 'committed' or 'stale'
  end

  -- How many times the job itself has failed when this retry is allowed, else nil.
  local function failures_before_retry(run)
    if run.group.ending ~= 'retry' then return nil end
    local record = redis.call('HMGET', run.key, 'attempt', 'rescues', 'retries')
    -- Rescues are the worker's fault, not the job's: they use up no retry (I5).
    local failures = math.max(count_of(record[1]) - count_of(record[2]), 1)
    return failures <= count_of(record[3]) and failures or nil
  end

  -- Decides about a run. It writes only when a retry is due, and before anything else: a restricted user may be refused
  -- there.
  local function judge(run)
    local group, status = run.group, status_of(run.id)
    local held = redis.call('HGET', KEYS[2 * group.number], run.id)
    local is_held = held and string.sub(held, 1, #group.token + 1) == group.token .. '|'
    if is_held then end_claim(group.number, run.id) end -- of no more use also when somebody else ended the job
    if not is_held or status ~= 'started' then return outcome_of_other(run, status) end
    local record = redis.call('HMGET', run.key, 'error', 'progress')
    run.is_ours, run.had_error, run.had_progress = true, record[1], record[2]
    local failures = failures_before_retry(run)
    if not failures or is_in_any(run.id, requests_for(run.group)) then return 'committed' end
    run.obstacle = wrong_set(DELAYED)
    if run.obstacle then return 'committed' end
    run.due = at + math.floor(tonumber(ARGV[run.word + JITTER])
      * math.min(RETRY_LIMIT_MS, RETRY_BASE_MS * 2 ^ math.min(failures - 1, 20)))
    redis.call('ZADD', DELAYED, run.due, run.id)
    return 'retry'
  end

  local function write(run)
    local key, group, output, kept = run.key, run.group, ARGV[run.word + OUTPUT], ARGV[run.word + KEPT]
    if run.due then
      redis.call('HSET', key, 'status', 'dispatched', 'output', output, 'error', error_of(run), 'updated_at', stamp,
        'not_before', stamp_of(run.due), group.field, kept)
    elseif group.ending ~= 'finished' then
      redis.call('HSET', key, 'status', 'error', 'output', output, 'error', last_error_of(run), 'updated_at', stamp,
        'finished_at', stamp, group.field, kept)
    else
      redis.call('HSET', key, 'status', 'finished', 'output', output, 'updated_at', stamp, 'finished_at', stamp,
        group.field, kept)
      if run.had_error then redis.call('HDEL', key, 'error') end
    end
    if run.had_progress then redis.call('HDEL', key, 'progress') end
    local attempt = tonumber(string.match(group.field, '%d+$'))
    if attempt > KEPT_RUNS then redis.call('HDEL', key, 'run_' .. whole(attempt - KEPT_RUNS)) end
    tally(group.queue, run.due and 'retried' or group.ending == 'finished' and 'finished' or 'error', 1,
      tonumber(ARGV[run.word + RUN_MS]))
    if not run.due then over[#over + 1] = run end
  end

  -- Tells everybody who waits for the job.
  local function announce(run)
    local is_finished = run.group.ending == 'finished'
    for _, list in ipairs(requests_for(run.group)) do redis.pcall('LREM', list, 0, run.id) end
    local record = redis.call('HMGET', run.key, 'queues', 'dependents')
    push_reply(run.id, is_finished and ARGV[run.word + OUTPUT] or last_error_of(run), reply_ms,
      record[1] or not is_canonical(run.group.queue))
    local dependents = record[2] or ''
    if dependents == '' or dependents == '[]' then return end
    if is_finished then
      release_dependents(run.id, stamp, reply_ms)
    else
      fail_dependents(run.id, stamp, reply_ms)
    end
  end

  local seen = {} -- by token and id: its outcome
  local function commit_all(runs)
    local ours = {}
    for _, run in ipairs(runs) do
      local mark = run.group.token .. '|' .. run.id
      local outcome = seen[mark] or judge(run)
      seen[mark] = outcome
      if run.is_ours then ours[#ours + 1] = run end
      if outcome ~= 'committed' then result[#result + 1], result[#result + 2] = run.place, outcome end
    end
    for _, run in ipairs(ours) do write(run) end
  end
  local function announce_all()
    for _, run in ipairs(over) do announce(run) end
  end

  seldom = { commit_all = commit_all, announce_all = announce_all }
  return seldom
end

local function run_at(group, number)
  local word = group.first + group.step * number
  return { group = group, id = ARGV[word], key = job_key(ARGV[word]), word = word, place = group.place + number }
end

-- Whether a record has nothing that is to be taken away or needs a second reply. One that submit_plain wrote and that was
-- claimed once has it when it has no more fields than that.
local function is_bare(key, field)
  if field == 'run_1' and redis.pcall('HLEN', key) == PLAIN_FIELDS + CLAIM_FIELDS then return true end
  local rest = redis.call('HMGET', key, 'error', 'queues', 'progress')
  return not (rest[1] or rest[2] or rest[3])
end

-- Ends what finished, came from a canonical queue and is bare; nobody but the one who asked waits for it. Returns the
-- other runs.
local function commit_plain(group)
  local others = {}
  local may_be_plain = #group.field == 5 and is_canonical(group.queue) -- run_1 to run_9: no run is too old to keep
  local requests = may_be_plain and requests_for(group) or {}
  local asked = group.runs > 1 and ids_in(requests, group.runs)
  local finished, run_ms = 0, 0
  for number = 0, group.runs - 1 do
    local word = group.first + group.step * number
    local id = ARGV[word]
    local key = job_key(id)
    local record = may_be_plain and redis.pcall('HMGET', key, 'status', 'claim', 'dependents')
    if record and record[1] == 'started' and record[2] == group.token and record[3] == '[]'
      and is_bare(key, group.field) then
      local output, ms, reply = ARGV[word + OUTPUT], ARGV[word + RUN_MS], reply_key(id)
      redis.call('HSET', key, 'status', 'finished', 'output', output, 'updated_at', stamp, 'finished_at', stamp,
        group.field, ARGV[word + KEPT])
      end_claim(group.number, id)
      finished = finished + 1
      if ms ~= '0' then run_ms = run_ms + tonumber(ms) end
      if not asked or asked[id] then
        for _, list in ipairs(requests) do redis.pcall('LREM', list, 0, id) end
      end
      if not is_error(redis.pcall('LPUSH', reply, output)) then redis.pcall('PEXPIRE', reply, reply_ms) end
    else
      others[#others + 1] = run_at(group, number)
    end
  end
  if finished > 0 then tally(group.queue, 'finished', finished, run_ms) end
  return others
end

local groups, failed = {}, {}
local word, place = 3 + type_count, 1
while ARGV[word] do
  local group = { runs = tonumber(ARGV[word]), number = tonumber(ARGV[word + 1]), token = ARGV[word + 2],
    queue = ARGV[word + 3], claimer = ARGV[word + 4], worker = ARGV[word + 5], ending = ARGV[word + 6],
    field = ARGV[word + 7], first = word + 8, step = 4, place = place }
  if group.ending == 'finished' then
    groups[#groups + 1] = group
  else
    group.step = 6
    for number = 0, group.runs - 1 do failed[#failed + 1] = run_at(group, number) end
  end
  word, place = group.first + group.step * group.runs, place + group.runs
end
if failed[1] then make_seldom().commit_all(failed) end
for _, group in ipairs(groups) do
  local others = commit_plain(group)
  if others[1] then (seldom or make_seldom()).commit_all(others) end
end
for number, ids in pairs(ended) do
  redis.call('ZREM', KEYS[2 * number - 1], unpack(ids))
  redis.call('HDEL', KEYS[2 * number], unpack(ids))
end
for queue, fields in pairs(tallies) do
  for field, by in pairs(fields) do
    if by > 0 then count(queue, field, by) end
  end
end
if seldom then seldom.announce_all() end
return result
