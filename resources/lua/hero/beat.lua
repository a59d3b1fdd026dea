#!lua flags=allow-oom
-- needs: keys record
-- Renews leases.
-- Keeps true: only the holder of the token of a running job can move its deadline (I6).
-- KEYS: for each type its lease zset and its claims hash
-- ARGV: 1 lease ms, then for each claim: number of its type, id, token
-- Returns the ids whose claim is no longer the caller's.
local deadline = whole(server_ms() + tonumber(ARGV[1]))
local lost = {}
for i = 2, #ARGV, 3 do
  local lease, claims, id, token = KEYS[2 * ARGV[i] - 1], KEYS[2 * ARGV[i]], ARGV[i + 1], ARGV[i + 2]
  local held = redis.call('HGET', claims, id)
  local ours = held and string.sub(held, 1, #token + 1) == token .. '|' and status_of(id) == 'started'
  if ours then
    redis.call('ZADD', lease, deadline, id)
  else
    lost[#lost + 1] = id
  end
end
return lost
