#!lua
-- needs: keys record fate graph
-- Puts a part of a graph aside; the last part commits the whole and begins to make its jobs real.
-- Keeps true: a graph is there as a whole or not at all; repeating a part or the whole is one graph (HD2); what is never
-- committed goes away by itself (I11). Parts come in order, each job behind what it waits for.
-- KEYS: 1 the list of what is staged
-- ARGV: 1 name of the graph, 2 how many jobs the parts before had, 3 '1' when this is the last part, 4 TTL ms of what is
--       not committed, 5 reply TTL ms, 6 number of jobs, then for each: id, ids outside the graph that it waits for as
--       JSON array, number of fields, name and value of each
-- Returns {'staged'}, {'committed', how many jobs are still to grow}, {'lost'} when earlier parts have gone, or a refusal,
--         with which the whole is dropped: {'differs', id}, {'missing', id…}, {'failed', id}; {'invalid', key} when one of
--         the keys that it needs holds another thing.
local name, before, is_last, ttl, reply_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4], ARGV[5]
local GROW = 200

local function drop()
  for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do redis.call('DEL', staged_key(id)) end
  redis.call('DEL', KEYS[1])
end

for _, key in ipairs({ GRAPHS, WAITING }) do
  if wrong_set(key) then return { 'invalid', key } end
end
if redis.call('ZSCORE', GRAPHS, name) then return { 'committed', whole(redis.call('LLEN', KEYS[1])) } end
if redis.pcall('HGET', job_key(ARGV[7]), 'graph') == name then return { 'committed', '0' } end

local staged = redis.call('LLEN', KEYS[1])
if staged < before then return { 'lost' } end
if staged == before then
  -- Look at everything before the first write.
  local missing, seen, parts, at_arg = {}, {}, {}, 7
  for number = 1, tonumber(ARGV[6]) do
    local id, count_of_fields = ARGV[at_arg], tonumber(ARGV[at_arg + 2])
    if status_of(id) ~= 'missing' then
      drop()
      return { 'differs', id }
    end
    local outside = {}
    add_ids(outside, seen, ARGV[at_arg + 1])
    for _, other in ipairs(outside) do
      local state = status_of(other)
      if state == 'missing' or state == 'invalid' then missing[#missing + 1] = other end
      if state == 'error' then
        drop()
        return { 'failed', other }
      end
    end
    parts[number] = at_arg
    at_arg = at_arg + 3 + 2 * count_of_fields
  end
  if #missing > 0 then
    drop()
    return { 'missing', unpack(missing, 1, math.min(#missing, 50)) }
  end
  for _, at in ipairs(parts) do
    local id, fields = ARGV[at], 2 * tonumber(ARGV[at + 2])
    redis.call('HSET', staged_key(id), 'graph', name, 'outside', ARGV[at + 1], unpack(ARGV, at + 3, at + 2 + fields))
    redis.call('PEXPIRE', staged_key(id), ttl)
    redis.call('RPUSH', KEYS[1], id)
  end
  redis.call('PEXPIRE', KEYS[1], ttl)
end
if not is_last then return { 'staged' } end

local at = server_ms()
redis.call('PERSIST', KEYS[1])
for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if redis.call('PERSIST', staged_key(id)) == 0 then -- the pause between two parts was too long
    drop()
    return { 'lost' }
  end
end
redis.call('ZADD', GRAPHS, whole(at), name)
return { 'committed', whole(grow(name, GROW, at, stamp_of(at), reply_ms)) }
