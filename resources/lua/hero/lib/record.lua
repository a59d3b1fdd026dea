-- Reading a job's record with tolerance, and the server's time. Nothing here writes.
local OVER = { finished = true, error = true }
local KNOWN = { finished = true, error = true, dispatched = true, started = true, waiting_for_prerequisites = true }

-- How many fields a record has that submit_plain wrote for a job with no more than every job has; a claim adds to them.
local PLAIN_FIELDS, CLAIM_FIELDS = 15, 3

local function is_error(reply) return type(reply) == 'table' and reply.err ~= nil end

-- The first of two spellings of a field that is there and not empty (PROTOCOLS, "we also read"); '' when none is.
local function filled(first, second)
  if first and first ~= '' then return first end
  return second or ''
end

-- A refusal because of the user's rights; Redis words it in its own way inside a script.
local function is_forbidden(reply)
  return is_error(reply) and (string.find(reply.err, 'NOPERM', 1, true) or string.find(reply.err, 'ACL failure', 1, true)
    or string.find(reply.err, 'user executing the script', 1, true)) ~= nil
end

-- Milliseconds of Redis TIME: no clock of a client decides anything (RELIABILITY R2).
local function server_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function whole(number) return string.format('%.0f', number) end

-- Days since 1970-01-01 of a civil date, and back (proleptic Gregorian, years counted from March).
local function days_of(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = math.floor(year / 400)
  local of_era = year - era * 400
  local of_year = math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return era * 146097 + of_era * 365 + math.floor(of_era / 4) - math.floor(of_era / 100) + of_year - 719468
end

-- RFC 3339, UTC, milliseconds (PROTOCOLS, created_at). Remainders instead of math.floor: each script does this once.
local function stamp_of(ms)
  local of_day = ms % 86400000
  local z = (ms - of_day) / 86400000 + 719468
  local doe = z % 146097
  local yoe = doe - (doe - doe % 1460) / 1460 + (doe - doe % 36524) / 36524 - (doe - doe % 146096) / 146096
  yoe = (yoe - yoe % 365) / 365
  local doy = doe - 365 * yoe - (yoe - yoe % 4) / 4 + (yoe - yoe % 100) / 100
  local shifted = 5 * doy + 2
  shifted = (shifted - shifted % 153) / 153
  local before = 153 * shifted + 2
  local day = doy - (before - before % 5) / 5 + 1
  local month = shifted < 10 and shifted + 3 or shifted - 9
  local year = yoe + (z - doe) / 146097 * 400 + (month <= 2 and 1 or 0)
  local of_minute = of_day % 60000
  local minutes = (of_day - of_minute) / 60000
  return string.format('%04d-%02d-%02dT%02d:%02d:%06.3fZ', year, month, day, (minutes - minutes % 60) / 60, minutes % 60,
    of_minute / 1000)
end

-- Milliseconds of a time text as others write it: RFC 3339 with any offset, epoch seconds or milliseconds; or nil.
local function ms_of(text)
  if not text then return nil end
  if string.match(text, '^%d+$') and #text <= 15 then
    local number = tonumber(text)
    return number < 100000000000 and number * 1000 or number
  end
  local year, month, day, hour, minute, second, rest =
    string.match(text, '^(%d%d%d%d)-(%d%d)-(%d%d)[T ](%d%d):(%d%d):(%d%d)(.*)$')
  if not year then return nil end
  local ms = (days_of(tonumber(year), tonumber(month), tonumber(day)) * 86400
    + tonumber(hour) * 3600 + tonumber(minute) * 60 + tonumber(second)) * 1000
  local sign, off_hour, off_minute = string.match(rest, '([+-])(%d%d):?(%d%d)$')
  if not sign then return ms end
  local offset = (tonumber(off_hour) * 60 + tonumber(off_minute)) * 60000
  return sign == '+' and ms - offset or ms + offset
end

-- Seconds a run may take (PROTOCOLS, timeout): decimal, `30s`, a JSON Duration; 300 when unreadable, 0 = none.
local function timeout_of(text)
  text = text or ''
  local digits = string.match(text, '^%s*(%d+)s?%s*$') or string.match(text, '"secs"%s*:%s*(%d+)')
  return digits and #digits <= 9 and tonumber(digits) or 300
end

-- The status in lower case; '' when the record has none, 'missing' without a record, 'invalid' for another type.
local function status_of(id)
  local status = redis.pcall('HGET', job_key(id), 'status')
  if is_error(status) then return 'invalid' end
  if status then return string.lower(string.sub(status, 1, 64)) end
  return redis.call('EXISTS', job_key(id)) == 1 and '' or 'missing'
end

local function count_of(text)
  return text and string.match(text, '^%d+$') and #text <= 9 and tonumber(text) or 0
end

-- The worker id that a record was sent to in the legacy family; '' when it names none.
local function worker_of(id)
  local t = redis.pcall('HMGET', job_key(id), 'worker_id', 'actor_id', 'actorId')
  if is_error(t) then return '' end
  for i = 1, 3 do
    if t[i] and t[i] ~= '' then return t[i] end
  end
  return ''
end

-- Appends the ids of a JSON array or comma list to `list`, each once.
local function add_ids(list, seen, text)
  if not text or text == '' or text == 'null' then return end
  local ids = {}
  if string.match(text, '^%s*[%[{]') then
    local ok, value = pcall(cjson.decode, text)
    if not ok or type(value) ~= 'table' then return end
    for _, id in ipairs(value) do
      if type(id) == 'string' then ids[#ids + 1] = id
      elseif type(id) == 'number' then ids[#ids + 1] = whole(id) end
    end
  else
    for id in string.gmatch(text, '[^,%s]+') do ids[#ids + 1] = id end
  end
  for _, id in ipairs(ids) do
    if id ~= '' and not seen[id] then
      seen[id] = true
      list[#list + 1] = id
    end
  end
end

-- Type and queues of a record: those it was once queued in when they were not simply the canonical one of its target
-- (`queues`, ours), else that one; no queues when it names no usable type. The type may be ''.
local function route_of(id)
  local t = redis.pcall('HMGET', job_key(id), 'script_type', 'scriptType', 'group', 'instance', 'priority', 'queues')
  if is_error(t) then return '', {} end
  local kind = string.lower(filled(t[1], t[2]))
  if #kind > 64 then kind = '' end
  local named, queues = {}, {}
  add_ids(named, {}, t[6])
  for _, queue in ipairs(named) do
    if is_work_key(queue) then queues[#queues + 1] = queue end
  end
  if #queues == 0 and kind ~= '' then queues[1] = work_key(kind, t[3] or '', t[4] or '', t[5] or '1') end
  return kind, queues
end

-- What must finish before this job: the union of both spellings (PROTOCOLS, prerequisites).
local function prerequisites_of(id)
  local list, seen = {}, {}
  local stored = redis.pcall('HMGET', job_key(id), 'prerequisites', 'dependencies')
  if is_error(stored) then return list end
  add_ids(list, seen, stored[1])
  add_ids(list, seen, stored[2])
  return list
end

-- An empty Lua table would be encoded as an object.
local function encode_ids(list) return #list == 0 and '[]' or cjson.encode(list) end
