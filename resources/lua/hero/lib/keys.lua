-- The keys of PROTOCOLS 2 as the scripts build them; the same rules as core/protocol/hero/keys.h.
local DELAYED, WAITING, TYPES, GRAPHS = 'hero:q:delayed', 'hero:q:waiting', 'hero:q:types', 'hero:q:graphs'

local function job_key(id) return 'hero:job:' .. id end
local function reply_key(id) return 'hero:q:reply:' .. id end
local function lease_key(kind) return 'hero:q:lease:' .. kind end
local function claims_key(kind) return 'hero:q:claims:' .. kind end
local function dead_key(kind) return 'hero:q:dead:' .. kind end
local function graph_key(name) return 'hero:q:graph:' .. name end
local function staged_key(id) return 'hero:q:staged:' .. id end
local function control_key(kind) return 'hero:q:ctl:type:' .. kind end

-- The most specific queue of a target; priority 1 has no suffix (PROTOCOLS, Routing).
local function work_key(kind, group, instance, priority)
  local key = 'hero:q:work:type:' .. kind
  if instance ~= '' and group == '' then group = 'default' end
  if group ~= '' then key = key .. ':group:' .. group end
  if instance ~= '' then key = key .. ':inst:' .. instance end
  if priority == '0' or priority == '2' then key = key .. ':prio:' .. priority end
  return key
end

-- The control list of the instance named by claimed_by, `{type}:{group}:{inst}`; nil when it names none.
local function claimer_control_key(claimed_by)
  local kind, group, instance = string.match(claimed_by or '', '^([^:]+):([^:]+):([^:]+)$')
  if not kind then return nil end
  return control_key(kind) .. ':group:' .. group .. ':inst:' .. instance
end

local function stats_key(queue) return 'hero:meta:queue:stats:' .. string.gsub(queue, '^hero:q:work:', '') end
