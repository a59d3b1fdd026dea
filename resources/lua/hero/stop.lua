#!lua flags=allow-oom
-- needs: keys record fate
-- Stops a job in whatever state it is (PROTOCOLS, Stop).
-- Keeps true: a stopped job is in no queue (HD9); a running one is only asked, its worker writes the end, and one that
-- somebody else has popped and not marked yet is as good as running: `stopped` would be overwritten by `started`. When it
-- is not run after all, whoever finds it ends it as it was asked (claim, reconcile). Terminal is final (I4); no request
-- outlives its job (I11).
-- KEYS: 1 job
-- ARGV: 1 id, 2 reply TTL ms, 3 '1' when workers of the legacy family are asked too
-- Returns 'gone', 'invalid', 'over', 'requested' or 'stopped'.
local id, reply_ms = ARGV[1], ARGV[2]
local status = status_of(id)
if status == 'missing' then return 'gone' end
if status == 'invalid' then return status end
local record = redis.call('HMGET', KEYS[1], 'claimed_by', 'script_type', 'scriptType')
local kind = string.lower(filled(record[2], record[3]))
if OVER[status] then
  clear_requests(id, kind, record[1])
  return 'over'
end

local function ask()
  -- Who claimed it says where it listens. A worker of others does not: it may listen where the job was sent to. One of
  -- them runs it when there is no lease, also when one of ours had it before.
  local leased = redis.pcall('ZSCORE', lease_key(string.match(record[1] or '', '^[^:]*')), id)
  local worker, own = worker_of(id), leased and not is_error(leased) and claimer_control_key(record[1]) or nil
  local controls = { own }
  if not own and kind ~= '' then controls[1] = control_key(kind) end
  if not own and worker ~= '' and (ARGV[3] == '1' or kind == '') then controls[#controls + 1] = legacy_stop_key(worker) end
  for _, control in ipairs(controls) do
    redis.call('LREM', control, 0, id)
    redis.call('LPUSH', control, id)
  end
  return 'requested'
end

-- Queued in fewer places than it was pushed to: somebody has just popped it, or lost it (HD3).
local function is_taken(places)
  local _, queues = route_of(id)
  return status == 'dispatched' and kind ~= '' and #places < #queues
end

if status == 'started' then return ask() end
local delayed = redis.pcall('ZSCORE', DELAYED, id)
local is_legacy, places = unlist(id)
if (not delayed or is_error(delayed)) and is_taken(places) then return ask() end
local stamp = stamp_of(server_ms())
close_with_error(id, 'stopped', stamp, reply_ms, is_legacy)
clear_requests(id, kind, record[1])
fail_dependents(id, stamp, reply_ms)
return 'stopped'
