# ruby-redis: types, pipelines, transactions, scripts, waiting, subscriptions.
require "redis"

def check(what)
  raise "#{what} failed" unless yield
end

redis = Redis.new(path: ENV.fetch("YM_SOCKET"), id: "ruby")
check("ping") { redis.ping == "PONG" }
check("info") { redis.info["redis_version"].start_with?("7.") }
redis.set("text", "\x00\xff".b, ex: 100)
check("bytes") { redis.get("text").b == "\x00\xff".b && redis.ttl("text").between?(1, 100) }
redis.mapped_hmset("hash", "a" => 1, "b" => "zwei")
check("hash") { redis.hgetall("hash") == { "a" => "1", "b" => "zwei" } }
redis.rpush("list", %w[a b c])
check("list") { redis.lrange("list", 0, -1) == %w[a b c] && redis.lmove("list", "other", "LEFT", "RIGHT") == "a" }
redis.zadd("scores", [[1, "low"], [2.5, "high"]])
check("scores") { redis.zrange("scores", 0, -1, with_scores: true) == [["low", 1.0], ["high", 2.5]] }
check("pipeline") { redis.pipelined { |p| 100.times { |i| p.set("many:#{i}", i) } }.uniq == ["OK"] }
check("scan") { redis.scan_each(match: "many:*").to_a.uniq.size == 100 }
check("transaction") { redis.multi { |m| m.incr("n"); m.incr("n") } == [1, 2] }
check("watch") do
  redis.watch("n") do
    Redis.new(path: ENV["YM_SOCKET"]).set("n", 9)
    redis.multi { |m| m.set("n", 0) }.nil?
  end
end
sha = redis.script(:load, "return {KEYS[1], ARGV[1] + 1}")
check("script") { redis.evalsha(sha, keys: ["k"], argv: [41]) == ["k", 42] }
check("error") do
  redis.lpush("text", 1)
  false
rescue Redis::CommandError => e
  e.message.start_with?("WRONGTYPE")
end

waiter = Thread.new { Redis.new(path: ENV["YM_SOCKET"]).blpop("jobs", timeout: 20) }
redis.rpush("jobs", "work")
check("waiting") { waiter.value == %w[jobs work] }
heard = nil
listener = Thread.new do
  Redis.new(path: ENV["YM_SOCKET"]).subscribe("news") do |on|
    on.message { |_, message| heard = message; raise StopIteration }
  end
rescue StopIteration
  nil
end
Thread.pass until redis.pubsub(:numsub, "news") == ["news", 1]
redis.publish("news", "today")
listener.join
check("subscription") { heard == "today" }

if ENV["YM_PORT"]
  url = "redis://:#{ENV['YM_PASSWORD']}@127.0.0.1:#{ENV['YM_PORT']}/1"
  check("port") { Redis.new(url: url).set("a", 1) == "OK" && redis.get("a").nil? }
end
puts "done"
