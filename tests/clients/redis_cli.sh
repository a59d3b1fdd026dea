#!/bin/bash
# redis-cli: by hand, in a pipe, and with the tools it has built in.
set -euo pipefail
cli() { redis-cli -s "$YM_SOCKET" "$@"; }
same() { [ "$2" = "$3" ] || { echo "$1: expected '$3', got '$2'" >&2; exit 1; }; }

same ping "$(cli PING)" PONG
same set "$(cli SET greeting 'hello world')" OK
same get "$(cli GET greeting)" 'hello world'
same database "$(cli -n 3 SET here 3; cli -n 3 DBSIZE; cli DBSIZE)" $'OK\n1\n1'
same transaction "$(printf 'MULTI\nINCR n\nINCR n\nEXEC\n' | cli | tail -n 1)" 2
same script "$(cli EVAL 'return {KEYS[1], ARGV[1] * 2}' 1 k 21)" $'k\n42'
same error "$(cli LPUSH greeting x || true)" 'WRONGTYPE Operation against a key holding the wrong kind of value'
same input "$(printf 'from a pipe' | cli -x SET piped)" OK
same csv "$(cli RPUSH list a b c > /dev/null; cli --csv LRANGE list 0 -1)" '"a","b","c"'
same json "$(cli --no-raw GET piped)" '"from a pipe"'

for i in $(seq 1 2000); do printf 'SET bulk:%d %d\r\n' "$i" "$i"; done | cli --pipe | grep -q 'errors: 0, replies: 2000'
same scan "$(cli --scan --pattern 'bulk:*' | sort -u | wc -l)" 2000
cli --bigkeys | grep -q 'Sampled 2004 keys'
cli --memkeys | grep -q 'Sampled 2004 keys'

# Waits while another pushes, and listens while another speaks.
cli BLPOP jobs 20 > popped & waiter=$!
until cli CLIENT LIST | grep -q 'cmd=blpop'; do :; done
cli RPUSH jobs one > /dev/null
wait $waiter
same popped "$(cat popped)" $'jobs\none'
timeout 20 redis-cli -s "$YM_SOCKET" SUBSCRIBE news > heard & listener=$!
until [ "$(cli PUBSUB NUMSUB news | tail -n 1)" = 1 ]; do :; done
cli PUBLISH news today > /dev/null
until grep -q today heard; do :; done
kill $listener
wait $listener 2> /dev/null || true

if [ -n "${YM_PORT:-}" ]; then
    over_port() { redis-cli -p "$YM_PORT" "$@" 2>/dev/null; }
    over_port PING | grep -q NOAUTH
    same password "$(REDISCLI_AUTH=$YM_PASSWORD over_port PING)" PONG
    same url "$(over_port -u "redis://:$YM_PASSWORD@127.0.0.1:$YM_PORT/0" GET greeting)" 'hello world'
fi
echo done
