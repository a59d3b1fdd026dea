#!lua flags=no-writes
-- Reads one job with its big values cut, so that a record of 100 MB costs what is shown of it. Changes nothing; sent with
-- EVAL_RO for users who may only look (RELIABILITY 6.5).
-- KEYS: 1 job
-- ARGV: 1 bytes to keep of a value, 2 most fields, then the names of those that must not drown in very many others
-- All values together are cut to what fits into one reply; the small ones come first, so that none of them is cut because
-- of a big one.
-- Returns a flat list of name, value, full size, and at its end how many fields there are; empty when there is no such
-- record.
local keep, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local left = 48 * 1024 * 1024
local result, big = {}, {}
local function take(name, size)
  local value = redis.call('HGET', KEYS[1], name)
  local kept = math.min(keep, left)
  if size > kept then value = string.sub(value, 1, kept) end
  left = left - #value
  result[#result + 1] = name
  result[#result + 1] = value
  result[#result + 1] = size
end
local seen = {}
local function look(name)
  if seen[name] or #result + 3 * #big >= 3 * most then return end
  seen[name] = true
  local size = redis.call('HSTRLEN', KEYS[1], name)
  if size > 4096 then
    big[#big + 1] = {name, size}
  elseif size > 0 or redis.call('HEXISTS', KEYS[1], name) == 1 then
    take(name, size)
  end
end
local names = redis.call('HKEYS', KEYS[1])
if #names == 0 then return {} end
if #names > most then
  for i = 3, #ARGV do look(ARGV[i]) end
end
for _, name in ipairs(names) do look(name) end
for _, field in ipairs(big) do take(field[1], field[2]) end
result[#result + 1] = #names
return result
