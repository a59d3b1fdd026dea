#!lua
-- needs: keys record fate graph
-- Makes further jobs of a committed graph real.
-- Keeps true: each job appears once, behind what it waits for, and is at once queued, waiting or failed as its
-- prerequisites are (I1, I9).
-- KEYS: 1 the list of what is staged
-- ARGV: 1 name of the graph, 2 most jobs, 3 reply TTL ms
-- Returns how many are left.
local at = server_ms()
return grow(ARGV[1], tonumber(ARGV[2]), at, stamp_of(at), ARGV[3])
