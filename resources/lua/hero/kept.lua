#!lua flags=no-writes
-- needs: keys record
-- What remove would return of a job, for who is about to remove it and may never see that answer.
-- KEYS: 1 job
-- ARGV: 1 id
-- Returns {'gone'} when there is no record that can be kept, or 'there' and name and value of each field; of a record
--         that does not fit into a reply nothing.
local MOST_BYTES = 32 * 1024 * 1024
local status = status_of(ARGV[1])
if status == 'missing' or status == 'invalid' then return { 'gone' } end
local result = redis.call('HGETALL', KEYS[1])
local bytes = 0
for _, part in ipairs(result) do bytes = bytes + #part end
if bytes > MOST_BYTES then return { 'there' } end
table.insert(result, 1, 'there')
return result
