#!lua flags=allow-oom
-- needs: record
-- Registers or renews the presence of one worker under all its keys, or none.
-- Keeps true: two living processes never have the same instance (HC4): a key is taken when it is free or carries the
-- caller's own boot id.
-- KEYS: presence key of each type
-- ARGV: 1 boot id, 2 TTL ms, 3 presence JSON
-- Returns 1, or 0 when somebody else has one of the keys.
for _, key in ipairs(KEYS) do
  local stored = redis.pcall('GET', key)
  if is_error(stored) then return 0 end
  if stored and not string.find(stored, '"boot_id":"' .. ARGV[1] .. '"', 1, true) then return 0 end
end
for _, key in ipairs(KEYS) do
  if tonumber(ARGV[2]) % 1000 == 0 then
    redis.call('SET', key, ARGV[3], 'EX', ARGV[2] / 1000)
  else
    redis.call('SET', key, ARGV[3], 'PX', ARGV[2])
  end
end
return 1
