#!lua
-- needs: keys record
-- Puts what running jobs say of their progress into their records.
-- Keeps true: only the holder of the token of a running job writes to it (I6).
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: for each report: number of its type, id, token, progress
-- Returns how many were written.
local written = 0
for i = 1, #ARGV, 4 do
  local claims, id, token = KEYS[2 * ARGV[i]], ARGV[i + 1], ARGV[i + 2]
  local held = redis.call('HGET', claims, id)
  if held and string.sub(held, 1, #token + 1) == token .. '|' and status_of(id) == 'started' then
    redis.call('HSET', job_key(id), 'progress', ARGV[i + 3])
    written = written + 1
  end
end
return written
