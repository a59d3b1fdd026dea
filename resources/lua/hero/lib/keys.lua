-- The keys of PROTOCOLS 1 and 2 as the scripts build them; the same rules as core/protocol/hero/keys.h.
local DELAYED, WAITING, TYPES, GRAPHS = 'hero:q:delayed', 'hero:q:waiting', 'hero:q:types', 'hero:q:graphs'

local function job_key(id) return 'hero:job:' .. id end
local function reply_key(id) return 'hero:q:reply:' .. id end
local function legacy_reply_key(id) return 'hero:reply:' .. id end
local function lease_key(kind) return 'hero:q:lease:' .. kind end
local function claims_key(kind) return 'hero:q:claims:' .. kind end
local function dead_key(kind) return 'hero:q:dead:' .. kind end
local function graph_key(name) return 'hero:q:graph:' .. name end
local function staged_key(id) return 'hero:q:staged:' .. id end
local function control_key(kind) return 'hero:q:ctl:type:' .. kind end
local function legacy_stop_key(worker) return 'hero:stop_queue:' .. worker end

-- The most specific queue of a target; priority 1 has no suffix (PROTOCOLS, Routing).
local function work_key(kind, group, instance, priority)
  local key = 'hero:q:work:type:' .. kind
  if instance ~= '' and group == '' then group = 'default' end
  if group ~= '' then key = key .. ':group:' .. group end
  if instance ~= '' then key = key .. ':inst:' .. instance end
  if priority == '0' or priority == '2' then key = key .. ':prio:' .. priority end
  return key
end

-- The queues of the legacy family that a job of this type and worker id may stand in; both may be ''.
local function legacy_keys(kind, worker)
  local list = {}
  if worker ~= '' then list = { 'hero:work_queue:' .. worker, 'hero:job:' .. worker } end
  if kind ~= '' then list[#list + 1] = 'hero:job:actor_queue:' .. kind end
  return list
end

-- The one of them that a connection means by its legacy queue: 'worker', 'type' or 'actor'; nil when the job lacks it.
local function legacy_key(choice, kind, worker)
  if choice == 'type' then return kind ~= '' and 'hero:job:actor_queue:' .. kind or nil end
  if worker == '' or choice == '' then return nil end
  return (choice == 'worker' and 'hero:work_queue:' or 'hero:job:') .. worker
end

local function is_canonical(queue) return string.sub(queue, 1, 17) == 'hero:q:work:type:' end

-- Whether a text from a record may name a work queue.
local function is_work_key(text)
  return is_canonical(text) or string.sub(text, 1, 16) == 'hero:work_queue:' or string.sub(text, 1, 9) == 'hero:job:'
end

-- The control list of the instance named by claimed_by, `{type}:{group}:{inst}`; nil when it names none.
local function claimer_control_key(claimed_by)
  local kind, group, instance = string.match(claimed_by or '', '^([^:]+):([^:]+):([^:]+)$')
  if not kind then return nil end
  return control_key(kind) .. ':group:' .. group .. ':inst:' .. instance
end

local function stats_key(queue)
  local name = string.gsub(queue, is_canonical(queue) and '^hero:q:work:' or '^hero:', '')
  return 'hero:meta:queue:stats:' .. name
end
