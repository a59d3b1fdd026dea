#!lua flags=allow-oom
-- needs: keys record fate
-- Commits the end of a run.
-- Keeps true: one terminal commit per job, by the holder of the token (I4, I6); a failed run with attempts left waits in
-- hero:q:delayed (I1); reply lists expire (HD12); what waits for the job is released or failed in the same step (I9).
-- Repeating a commit that took place answers as the first time and changes nothing.
-- KEYS: 1 job, 2 lease zset, 3 claims hash
-- ARGV: 1 id, 2 token, 3 'finished' or 'error', 4 output, 5 error, 6 '1' when a retry is allowed, 7 jitter 0…1,
--       8 reply TTL ms, 9 type, 10 run time ms, 11 what is kept of this run
-- Returns 'committed', 'retry' or 'stale'.
local id, token, status, output, reason = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local reply_ms, kind = ARGV[8], ARGV[9]
local RETRY_BASE_MS, RETRY_LIMIT_MS = 1000, 300000
local KEPT_RUNS = 20

local record = redis.pcall('HMGET', KEYS[1], 'status', 'claim', 'attempt', 'rescues', 'retries', 'output', 'error',
  'claimed_by', 'queues', 'worker_id', 'actor_id', 'actorId', 'dependents', 'progress')
if is_error(record) then return 'stale' end
local held = redis.call('HGET', KEYS[3], id)
local is_holder = held and string.sub(held, 1, #token + 1) == token .. '|'
local present = string.lower(string.sub(record[1] or '', 1, 64))

if present ~= 'started' or not is_holder then
  if is_holder then -- somebody else ended the job: the claim is of no more use
    redis.call('ZREM', KEYS[2], id)
    redis.call('HDEL', KEYS[3], id)
  end
  if record[2] ~= token then return 'stale' end
  if present == 'dispatched' and status == 'error' then return 'retry' end
  local same = present == status and (record[6] or '') == output and (record[7] or '') == reason
  return same and 'committed' or 'stale'
end

local queue = string.sub(held, #token + 2)
local at = server_ms()
local stamp = stamp_of(at)
-- Rescues are the worker's fault, not the job's: they use up no retry (I5).
local failures = math.max(count_of(record[3]) - count_of(record[4]), 1)
local retries = status == 'error' and ARGV[6] == '1' and failures <= count_of(record[5])

local attempt = count_of(record[3])
local run = 'run_' .. attempt
if retries then
  local ceiling = math.min(RETRY_LIMIT_MS, RETRY_BASE_MS * 2 ^ math.min(failures - 1, 20))
  local due = at + math.floor(tonumber(ARGV[7]) * ceiling)
  redis.call('ZADD', DELAYED, due, id) -- first, because a restricted user may be refused here
  redis.call('HSET', KEYS[1], 'status', 'dispatched', 'output', output, 'error', reason, 'updated_at', stamp,
    'not_before', stamp_of(due), run, ARGV[11])
elseif reason ~= '' then
  redis.call('HSET', KEYS[1], 'status', status, 'output', output, 'error', reason, 'updated_at', stamp, 'finished_at',
    stamp, run, ARGV[11])
else
  redis.call('HSET', KEYS[1], 'status', status, 'output', output, 'updated_at', stamp, 'finished_at', stamp, run, ARGV[11])
  if record[7] then redis.call('HDEL', KEYS[1], 'error') end
end
if record[14] then redis.call('HDEL', KEYS[1], 'progress') end
if attempt > KEPT_RUNS then redis.call('HDEL', KEYS[1], 'run_' .. attempt - KEPT_RUNS) end
redis.call('ZREM', KEYS[2], id)
redis.call('HDEL', KEYS[3], id)
count(queue, retries and 'retried' or status)
count(queue, 'run_ms', ARGV[10])
if retries then return 'retry' end

clear_requests(id, kind, record[8], record[10] or record[11] or record[12] or '')
push_reply(id, status == 'finished' and output or reason, reply_ms, record[9] or not is_canonical(queue))
local dependents = record[13] or ''
if dependents == '' or dependents == '[]' then return 'committed' end
if status == 'finished' then
  release_dependents(id, stamp, reply_ms)
else
  fail_dependents(id, stamp, reply_ms)
end
return 'committed'
