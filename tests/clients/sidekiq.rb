# Sidekiq: a real worker process runs jobs, retries what fails, and shows itself; run this file without arguments.
require "sidekiq"
require "sidekiq/api"

server = { url: "unix://#{ENV.fetch('YM_SOCKET')}" }
Sidekiq.configure_client { |config| config.redis = server }
Sidekiq.configure_server do |config|
  config.redis = server
  config.options[:poll_interval_average] = 1
  config.options[:average_scheduled_poll_interval] = 1
end

class Add
  include Sidekiq::Worker
  sidekiq_options retry: 3
  sidekiq_retry_in { 1 }

  def perform(number)
    raise "not yet" if number == 3 && Sidekiq.redis { |r| r.incr("tries") } == 1

    Sidekiq.redis { |r| r.incrby("sum", number) }
  end
end

return if Sidekiq.server? # the worker process has loaded its job

def check(what)
  raise "#{what} failed" unless yield
end

def wait_until(what)
  limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  until yield
    raise "#{what} did not happen" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit

    sleep 0.02
  end
end

(1..20).each { |n| Add.perform_async(n) }
Add.perform_in(1, 100)
Sidekiq::Client.push_bulk("class" => Add, "args" => [[1000], [1000]], "queue" => "low")
check("queue") { Sidekiq::Queue.new.size == 20 && Sidekiq::ScheduledSet.new.size == 1 }

worker = spawn("sidekiq", "-r", File.expand_path(__FILE__), "-c", "4", "-q", "default", "-q", "low", "-t", "5",
               out: File::NULL, err: File::NULL)
begin
  wait_until("every job") { Sidekiq.redis { |r| r.get("sum") }.to_i == 2310 }
  wait_until("the heartbeat") { Sidekiq::ProcessSet.new.size == 1 }
  check("process") { Sidekiq::ProcessSet.new.first["concurrency"] == 4 }
ensure
  Process.kill("TERM", worker)
  Process.wait(worker)
end
stats = Sidekiq::Stats.new
check("stats") { stats.processed == 24 && stats.failed == 1 && stats.enqueued.zero? && stats.retry_size.zero? }
check("goodbye") { Sidekiq::ProcessSet.new.size.zero? }
puts "done"
