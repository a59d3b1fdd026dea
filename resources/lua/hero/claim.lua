#!lua
-- needs: keys record fate
-- Claims jobs for one worker: looks, validates, pops and leases in one step.
-- Keeps true: a popped id is leased, buried or a twin, never lost (HD3, HD4); only a `dispatched` job is claimed, so no
-- job is claimed twice (HC1); the order instance → group → type × priority is that of the arguments (PROTOCOLS,
-- Consumption). Without allow-oom the server refuses it as a whole when memory is short: nothing is popped.
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 how many at most, 2 group, 3 instance, 4 lease ms, 5 token seed, 6 served end LEFT or RIGHT, 7 number of types,
--       then the types, then a pair for each queue: number of its type, key. Queues stand here and not in KEYS, so that
--       one that the user may not read is skipped and does not refuse the others (RELIABILITY 3).
-- Returns {1 when there may be more to look at else 0, then for each claim {id, token, queue, type, hash as flat list}}.
local want, group, instance, lease_ms, seed = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local pop = ARGV[6] == 'LEFT' and 'LPOP' or 'RPOP'
local index = ARGV[6] == 'LEFT' and 0 or -1
local type_count = tonumber(ARGV[7])
local REQUEUE_GRACE_MS = 60000
local looks = 1000

local at = server_ms()
local stamp = stamp_of(at)
local result = { 0 }

-- 'mine', 'stale' (the id is dropped) or the reason why it is dead.
local function judge(id, lease)
  local record = redis.pcall('HMGET', job_key(id), 'status', 'updated_at', 'updatedAt', 'timeout')
  if is_error(record) then return 'not a job record' end
  if not record[1] then return redis.call('EXISTS', job_key(id)) == 1 and 'no status' or 'no record' end
  local status = string.lower(string.sub(record[1], 1, 64))
  if status == 'dispatched' then return 'mine' end
  if not KNOWN[status] then return 'unknown status' end
  if status ~= 'started' or redis.call('ZSCORE', lease, id) then return 'stale' end
  -- Queued again by a foreign monitor that leaves the status (HD6): only when nobody can still be running it.
  local since, timeout = ms_of(record[2] or record[3]), timeout_of(record[4])
  if since and timeout > 0 and since + timeout * 1000 + REQUEUE_GRACE_MS < at then return 'mine' end
  return 'stale'
end

local function take(id, queue, number, kind)
  local key, token = job_key(id), seed .. '-' .. #result
  local attempt = count_of(redis.call('HGET', key, 'attempt')) + 1
  redis.call('HSET', key, 'status', 'started', 'claim', token, 'claimed_by', kind .. ':' .. group .. ':' .. instance,
    'started_at', stamp, 'updated_at', stamp, 'attempt', attempt)
  redis.call('HDEL', key, 'not_before')
  redis.call(pop, queue)
  if redis.call('EXISTS', KEYS[2 * number - 1]) == 0 then redis.pcall('SADD', TYPES, kind) end
  redis.call('ZADD', KEYS[2 * number - 1], whole(at + lease_ms), id)
  redis.call('HSET', KEYS[2 * number], id, token .. '|' .. queue)
  result[#result + 1] = { id, token, queue, kind, redis.call('HGETALL', key) }
end

local function drop(id, queue, kind, verdict)
  redis.call(pop, queue)
  if verdict == 'stale' then return end
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
    local verdict = judge(id, KEYS[2 * number - 1])
    if verdict == 'mine' then
      take(id, queue, number, ARGV[7 + number])
    else
      drop(id, queue, ARGV[7 + number], verdict)
    end
  end
end
result[1] = looks == 0 and 1 or 0
return result
