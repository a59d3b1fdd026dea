# Sidekiq; its worker process loads this file, too.
require "json"
require "sidekiq"

Redis.silence_deprecations = true

server = { url: "unix://#{ENV.fetch('YM_SOCKET')}" }
Sidekiq.configure_client { |config| config.redis = server }
Sidekiq.configure_server { |config| config.redis = server }

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

class Job
  include Sidekiq::Worker
  LOCK = Mutex.new
  AMOUNT = ENV.fetch("YM_AMOUNT", "0").to_i
  @@done = 0

  def perform(submitted)
    return Sidekiq.redis { |r| r.rpush("bench:micros", ((now - submitted) * 1e6).round) } if submitted

    LOCK.synchronize do
      @@done += 1
      @@started, @@used = now, cpu if @@done == 1
      next unless @@done == AMOUNT

      result = JSON.generate("seconds" => now - @@started, "cpu" => cpu - @@used)
      Sidekiq.redis { |r| r.rpush("bench:result", result) }
    end
  end
end

return if Sidekiq.server?

def with_worker(amount, concurrency)
  worker = spawn({ "YM_AMOUNT" => amount.to_s }, "sidekiq", "-r", File.expand_path(__FILE__), "-c", concurrency.to_s, "-t", "1",
                 out: File::NULL, err: File::NULL)
  yield
ensure
  Process.kill("TERM", worker)
  Process.wait(worker)
end

mode, amount, concurrency = ARGV[0], ARGV[1].to_i, (ARGV[2] || 1).to_i
start = now
case mode
when "single"
  amount.times { Job.perform_async(nil) }
  puts JSON.generate("seconds" => now - start)
when "bulk"
  amount.fdiv(1000).ceil.times { Sidekiq::Client.push_bulk("class" => Job, "args" => [[nil]] * [1000, amount].min) }
  puts JSON.generate("seconds" => now - start)
when "process"
  with_worker(amount, concurrency) { puts Sidekiq.redis { |r| r.blpop("bench:result", timeout: 60) }.last }
else
  micros = []
  with_worker(0, 1) do
    (amount + 1).times do |i|
      Job.perform_async(now)
      took = Sidekiq.redis { |r| r.blpop("bench:micros", timeout: 60) }.last.to_i
      micros << took if i.positive? # the first one waited for the process to start
      sleep 0.005
    end
  end
  puts JSON.generate("micros" => micros)
end
