#!lua flags=allow-oom
-- needs: record
-- Takes the presence of one worker away.
-- Keeps true: the presence of somebody who took the instance over stays (HC4).
-- KEYS: presence key of each type
-- ARGV: 1 boot id
-- Returns how many keys were deleted.
local deleted = 0
for _, key in ipairs(KEYS) do
  local stored = redis.pcall('GET', key)
  if stored and not is_error(stored) and string.find(stored, '"boot_id":"' .. ARGV[1] .. '"', 1, true) then
    local gone = redis.pcall('DEL', key) -- a worker's user may lack it: the key expires by itself
    deleted = deleted + (is_error(gone) and 0 or gone)
  end
end
return deleted
