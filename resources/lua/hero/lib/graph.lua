-- A graph is staged out of sight, part by part, committed in one step, and then grows: its jobs become real, each behind
-- what it waits for. From the commit on it grows whoever does it, so it is there as a whole or not at all.

-- Adds an id to who waits for a job, without reading a long list.
local function add_dependent(other, id)
  local stored = redis.call('HGET', job_key(other), 'dependents') or ''
  if string.find(stored, '"' .. id .. '"', 1, true) then return end
  if string.match(stored, '^%[".*"%]$') then
    return redis.call('HSET', job_key(other), 'dependents', string.sub(stored, 1, -2) .. ',"' .. id .. '"]')
  end
  local list = {}
  add_ids(list, {}, stored)
  list[#list + 1] = id
  redis.call('HSET', job_key(other), 'dependents', encode_ids(list))
end

local function grow_one(id, at, stamp, reply_ms)
  local staged = staged_key(id)
  if redis.call('EXISTS', staged) == 0 then return end
  if status_of(id) ~= 'missing' then return redis.call('DEL', staged) end
  redis.call('RENAME', staged, job_key(id))
  local outside = {}
  add_ids(outside, {}, redis.call('HGET', job_key(id), 'outside'))
  redis.call('HDEL', job_key(id), 'outside')
  redis.call('HSET', job_key(id), 'created_at', stamp, 'updated_at', stamp, 'status', 'waiting_for_prerequisites')
  for _, other in ipairs(outside) do
    if redis.call('EXISTS', job_key(other)) == 1 then add_dependent(other, id) end
  end
  local _, queues = route_of(id)
  count(queues[1], 'submitted')
  redis.pcall('ZADD', WAITING, whole(at), id)
  settle_waiting(id, stamp, reply_ms)
end

-- Makes up to `most` further jobs of a graph real; returns how many are left.
local function grow(name, most, at, stamp, reply_ms)
  local ids = redis.pcall('LRANGE', graph_key(name), 0, most - 1)
  if is_error(ids) then
    redis.call('ZREM', GRAPHS, name)
    return 0
  end
  local grown = 0
  for _, id in ipairs(ids) do
    if budget <= 0 then break end
    grow_one(id, at, stamp, reply_ms)
    grown = grown + 1
  end
  redis.call('LTRIM', graph_key(name), grown, -1)
  local left = redis.call('LLEN', graph_key(name))
  if left == 0 then redis.call('ZREM', GRAPHS, name) end
  return left
end
