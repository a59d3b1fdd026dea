#!lua flags=allow-oom
-- needs: keys record fate
-- Commits the ends of runs, each for itself.
-- Keeps true: one terminal commit per job, by the holder of the token (I4, I6); a failed run with attempts left waits in
-- hero:q:delayed (I1); reply lists expire (HD12); what waits for the job is released or failed in the same step (I9).
-- Repeating a commit that took place answers as the first time and changes nothing.
-- KEYS: for each run 1 job, 2 lease zset, 3 claims hash
-- ARGV: 1 reply TTL ms, then for each run: 1 id, 2 token, 3 'finished' or 'error', 4 output, 5 error, 6 '1' when a retry is
--       allowed, 7 jitter 0…1, 8 type, 9 run time ms, 10 what is kept of this run
-- Returns for each run 'committed', 'retry' or 'stale'.
local WORDS = 10
local RETRY_BASE_MS, RETRY_LIMIT_MS = 1000, 300000
local KEPT_RUNS = 20
local reply_ms = ARGV[1]
local at = server_ms()
local stamp = stamp_of(at)

local tallies = {} -- what is counted of each queue
local function tally(queue, field, by)
  tallies[queue] = tallies[queue] or {}
  tallies[queue][field] = (tallies[queue][field] or 0) + by
end

local ended = {} -- by lease zset and claims hash: the commands that end claims
local function end_claim(run)
  local lease, claims = KEYS[run.first_key + 1], KEYS[run.first_key + 2]
  local from_leases, from_claims = ended[lease] or { 'ZREM', lease }, ended[claims] or { 'HDEL', claims }
  from_leases[#from_leases + 1], from_claims[#from_claims + 1] = run.id, run.id
  ended[lease], ended[claims] = from_leases, from_claims
end

-- The outcome of a run that is not this worker's to end.
local function outcome_of_other(run, present)
  local record = redis.call('HMGET', KEYS[run.first_key], 'claim', 'output', 'error')
  if record[1] ~= run.token then return 'stale' end
  if present == 'dispatched' and run.status == 'error' then return 'retry' end
  local same = present == run.status and (record[2] or '') == run.output and (record[3] or '') == run.reason
  return same and 'committed' or 'stale'
end

local function write_retry(run, key)
  redis.call('HSET', key, 'status', 'dispatched', 'output', run.output, 'error', run.reason, 'updated_at', stamp,
    'not_before', stamp_of(run.due), run.field, run.kept)
end

local function write_end(run, key)
  if run.reason ~= '' then
    redis.call('HSET', key, 'status', run.status, 'output', run.output, 'error', run.reason, 'updated_at', stamp,
      'finished_at', stamp, run.field, run.kept)
  else
    redis.call('HSET', key, 'status', run.status, 'output', run.output, 'updated_at', stamp, 'finished_at', stamp,
      run.field, run.kept)
    if run.record[3] then redis.call('HDEL', key, 'error') end
  end
end

-- How many times the job itself has failed when this retry is allowed, else nil.
local function failures_before_retry(run, attempt)
  if run.status == 'finished' or not run.may_retry then return nil end
  local record = redis.call('HMGET', KEYS[run.first_key], 'rescues', 'retries')
  -- Rescues are the worker's fault, not the job's: they use up no retry (I5).
  local failures = math.max(attempt - count_of(record[1]), 1)
  return failures <= count_of(record[2]) and failures or nil
end

-- Decides about a run and writes nothing.
local function judge(run)
  local record = redis.pcall('HMGET', KEYS[run.first_key], 'status', 'attempt', 'error', 'claimed_by', 'queues',
    'worker_id', 'actor_id', 'actorId', 'dependents', 'progress')
  if is_error(record) then return 'stale' end
  local held = redis.call('HGET', KEYS[run.first_key + 2], run.id)
  local is_holder = held and string.sub(held, 1, #run.token + 1) == run.token .. '|'
  local present = string.lower(string.sub(record[1] or '', 1, 64))
  if is_holder then end_claim(run) end -- also when somebody else ended the job: then it is of no more use
  if present ~= 'started' or not is_holder then return outcome_of_other(run, present) end

  local attempt = count_of(record[2])
  run.is_ours, run.queue, run.record, run.attempt = true, string.sub(held, #run.token + 2), record, attempt
  run.field = 'run_' .. attempt
  local failures = failures_before_retry(run, attempt)
  if not failures then return 'committed' end
  run.due = at + math.floor(tonumber(run.jitter) * math.min(RETRY_LIMIT_MS, RETRY_BASE_MS * 2 ^ math.min(failures - 1, 20)))
  return 'retry'
end

local function write(run)
  local key = KEYS[run.first_key]
  if run.due then write_retry(run, key) else write_end(run, key) end
  if run.record[10] then redis.call('HDEL', key, 'progress') end
  if run.attempt > KEPT_RUNS then redis.call('HDEL', key, 'run_' .. run.attempt - KEPT_RUNS) end
  tally(run.queue, run.due and 'retried' or run.status, 1)
  tally(run.queue, 'run_ms', run.ms)
end

local is_there = {} -- of the lists with stop requests: seldom is there one
local function exists(list)
  if is_there[list] == nil then is_there[list] = redis.pcall('EXISTS', list) ~= 0 end
  return is_there[list]
end

-- Tells everybody who waits for the job.
local function announce(run)
  local record, id = run.record, run.id
  clear_requests(id, run.kind, record[4], record[6] or record[7] or record[8] or '', exists)
  push_reply(id, run.status == 'finished' and run.output or run.reason, reply_ms, record[5] or not is_canonical(run.queue))
  local dependents = record[9] or ''
  if dependents == '' or dependents == '[]' then return end
  if run.status == 'finished' then
    release_dependents(id, stamp, reply_ms)
  else
    fail_dependents(id, stamp, reply_ms)
  end
end

local runs, outcomes, seen = {}, {}, {}
for i = 1, #KEYS / 3 do
  local word = 1 + WORDS * (i - 1)
  local run = { first_key = 3 * i - 2, id = ARGV[word + 1], token = ARGV[word + 2], status = ARGV[word + 3],
    output = ARGV[word + 4], reason = ARGV[word + 5], may_retry = ARGV[word + 6] == '1', jitter = ARGV[word + 7],
    kind = ARGV[word + 8], ms = tonumber(ARGV[word + 9]), kept = ARGV[word + 10],
    is_ours = false, queue = false, record = false, attempt = 0, field = false, due = false } -- room for what is judged
  local twin = seen[run.token]
  outcomes[i] = twin and runs[twin].id == run.id and outcomes[twin] or judge(run)
  runs[i], seen[run.token] = run, i
end
-- Before any other write, because a restricted user may be refused here.
for _, run in ipairs(runs) do
  if run.due then redis.call('ZADD', DELAYED, run.due, run.id) end
end
for _, run in ipairs(runs) do
  if run.is_ours then write(run) end
end
for _, words in pairs(ended) do redis.call(unpack(words)) end
for queue, fields in pairs(tallies) do
  for field, by in pairs(fields) do count(queue, field, by) end
end
for _, run in ipairs(runs) do
  if run.is_ours and not run.due then announce(run) end
end
return outcomes
