#!lua flags=no-writes
-- Reads a piece of one field, so that what fits into no reply can be had all the same. Changes nothing; sent with EVAL_RO
-- as detail is.
-- KEYS: 1 job
-- ARGV: 1 field, 2 bytes before the piece, 3 most bytes of it
-- Returns the piece and the size of the whole; nothing when there is no such field.
local value = redis.call('HGET', KEYS[1], ARGV[1])
if not value then return {} end
local from = tonumber(ARGV[2])
return {string.sub(value, from + 1, from + tonumber(ARGV[3])), #value}
