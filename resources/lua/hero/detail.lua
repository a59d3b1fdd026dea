#!lua flags=no-writes
-- Reads one job with its big values cut, so that a record of 100 MB costs what is shown of it. Changes nothing; sent with
-- EVAL_RO for users who may only look (RELIABILITY 6.5).
-- KEYS: 1 job
-- ARGV: 1 bytes to keep of a value, 2 most fields
-- All values together are cut to what fits into one reply.
-- Returns a flat list of name, value, full size; empty when there is no such record.
local keep, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local left = 48 * 1024 * 1024
local result = {}
for number, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  if number > most then break end
  local size = redis.call('HSTRLEN', KEYS[1], name)
  local value = redis.call('HGET', KEYS[1], name)
  local kept = math.min(keep, left)
  if size > kept then value = string.sub(value, 1, kept) end
  left = left - #value
  result[#result + 1] = name
  result[#result + 1] = value
  result[#result + 1] = size
end
return result
