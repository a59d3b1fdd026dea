#!lua
-- needs: keys record fate
-- Writes new jobs that wait for nothing and queues each where its target says, in one step.
-- Keeps true: as `submit`, to which it leaves every job that is not simply new.
-- KEYS: jobs
-- ARGV: for each job its id, its queue and a number of words, then so many: name and value of each field
-- Returns for each job 1 when it is queued, 0 when nothing was done: its id exists, or its queue is no list.
local stamp = stamp_of(server_ms())
local is_any_there = redis.call('EXISTS', unpack(KEYS)) > 0
local is_usable, ids, queued = {}, {}, {}

local function is_new(place, queue)
  if is_usable[queue] == nil then
    local kind = redis.call('TYPE', queue).ok
    is_usable[queue], ids[queue] = kind == 'list' or kind == 'none', {}
  end
  return is_usable[queue] and not (is_any_there and redis.call('EXISTS', KEYS[place]) == 1)
end

local word = 1
for place = 1, #KEYS do
  local id, queue, first = ARGV[word], ARGV[word + 1], word + 3
  word = first + tonumber(ARGV[word + 2])
  queued[place] = 0
  if is_new(place, queue) then
    redis.call('HSET', KEYS[place], 'created_at', stamp, 'updated_at', stamp, 'dependents', '[]', 'status', 'dispatched',
      unpack(ARGV, first, word - 1))
    local of_queue = ids[queue]
    of_queue[#of_queue + 1], queued[place] = id, 1
  end
end
for queue, of_queue in pairs(ids) do
  if of_queue[1] then
    redis.call('LPUSH', queue, unpack(of_queue))
    count(queue, 'submitted', #of_queue)
  end
end
return queued
