#!lua
-- needs: keys record fate
-- Writes new jobs that wait for nothing and queues each where its target says, in one step. What jobs have in common comes
-- once.
-- Keeps true: as `submit`, to which it leaves every job that is not simply new.
-- KEYS: jobs
-- ARGV: for each group of them that go to one queue and have the same fields: number of jobs, queue, number of fields whose
--       value they share, then so many names and values, then number of fields of which each job has its own value, and for
--       each job so many names and values
-- Returns for each job 1 when it is queued, 0 when nothing was done: its id exists, or its queue is no list.
local stamp = stamp_of(server_ms())
local is_any_there = redis.call('EXISTS', unpack(KEYS)) > 0
local ID, ID_START = 10, 1 + #job_key('') -- its place among the words, where it begins in a key
local queued = {}
local word = 0 -- the last one that was read

local function next_number()
  word = word + 1
  return tonumber(ARGV[word])
end

-- The words of a group's records, with room for those that each job has of its own. What a claim and an end look at comes
-- first, because Redis looks a field of a small hash up from its front.
local function words_of(shared)
  local words = { 'status', 'dispatched', 'updated_at', stamp, 'attempt', '0', 'dependents', '[]', 'id', false }
  local last = word + 2 * shared
  local own = 2 * tonumber(ARGV[last + 1])
  for i = 1, own do words[ID + i] = false end
  for i = word + 1, last do words[#words + 1] = ARGV[i] end
  words[#words + 1], words[#words + 2] = 'created_at', stamp
  word = last + 1
  return words, own
end

while ARGV[word + 1] do
  local jobs = next_number()
  word = word + 1
  local queue = ARGV[word]
  local words, own = words_of(next_number())
  local kind = redis.call('TYPE', queue).ok
  local is_usable, ids = kind == 'list' or kind == 'none', {}
  for place = #queued + 1, #queued + jobs do
    local key = KEYS[place]
    queued[place] = 0
    if is_usable and not (is_any_there and redis.call('EXISTS', key) == 1) then
      local id = string.sub(key, ID_START)
      words[ID] = id
      for i = 1, own do words[ID + i] = ARGV[word + i] end
      redis.call('HSET', key, unpack(words))
      ids[#ids + 1], queued[place] = id, 1
    end
    word = word + own
  end
  if ids[1] then
    redis.call('LPUSH', queue, unpack(ids))
    count(queue, 'submitted', #ids)
  end
end
return queued
