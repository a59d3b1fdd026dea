-- Queueing a job once more.

-- Type and queues, and whether the record does not say so yet. One of others does not say where it was queued: then the
-- legacy queue of the connection counts (`choice`: worker, type or actor, or ''), when the caller says so (`is_legacy`) or
-- the record names nothing else. No queues and the key that is in the way when one of them is no list.
local function queues_again(id, choice, is_legacy)
  local kind, queues = route_of(id)
  local legacy = legacy_key(choice, kind, worker_of(id))
  local is_new = legacy and (#queues == 0 or (is_legacy and redis.call('HEXISTS', job_key(id), 'queues') == 0))
  if is_new then queues = { legacy } end
  if #queues == 0 then return kind, nil, job_key(id) end
  local wrong = first_wrong(queues)
  if wrong then return kind, nil, wrong end
  return kind, queues, is_new
end
