#!lua flags=allow-oom
-- needs: keys record
-- Looks for stop requests for the caller's running jobs in the control lists.
-- Keeps true: a request stays until its job is over, so that it outlives the worker that was about to follow it; nobody's
-- request is destroyed (HD8); requests for jobs that are over do not pile up (HD9).
-- KEYS: none: lists that the user may not read are skipped and do not refuse the others (RELIABILITY 3)
-- ARGV: 1 number of control lists, then these, then the ids that run
-- Returns the ids that shall stop.
local LOOK = 5000
local most_looks = 200 -- at jobs of others
local running, asked, looked = {}, {}, {}
local list_count = tonumber(ARGV[1])
for i = 2 + list_count, #ARGV do running[ARGV[i]] = true end
for i = 2, 1 + list_count do
  local control = ARGV[i]
  local requests = redis.pcall('LRANGE', control, 0, LOOK - 1)
  if is_error(requests) then requests = {} end
  for _, id in ipairs(requests) do
    if running[id] then
      asked[id] = true
    elseif not looked[control .. id] and most_looks > 0 then
      most_looks = most_looks - 1
      looked[control .. id] = true
      local status = status_of(id)
      if OVER[status] or status == 'missing' or status == 'invalid' then redis.call('LREM', control, 0, id) end
    end
  end
end
local result = {}
for id in pairs(asked) do result[#result + 1] = id end
return result
