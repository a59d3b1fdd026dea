#!lua flags=allow-oom
-- needs: keys record fate
-- Stops a job in whatever state it is (PROTOCOLS, Stop).
-- Keeps true: a stopped job is in no queue (HD9); a running one is only asked, its worker writes the end; terminal is
-- final (I4); no request outlives its job (I11).
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
if status == 'started' then
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
local stamp = stamp_of(server_ms())
local is_legacy = unlist(id)
close_with_error(id, 'stopped', stamp, reply_ms, is_legacy)
clear_requests(id, kind, record[1])
fail_dependents(id, stamp, reply_ms)
return 'stopped'
