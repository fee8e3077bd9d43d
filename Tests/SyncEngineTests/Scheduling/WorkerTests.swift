import SyncCore
import Synchronization
import Testing

@testable import SyncEngine

@Suite(.timeLimit(.minutes(1)))
struct WorkerTests {
  private final class Runner: JobRunner {
    private let body: @Sendable (ScheduledJob, TakenJobRun) async -> JobResult
    private let log = Mutex<[String]>([])

    var calls: [String] { log.withLock { $0 } }

    init(_ body: @escaping @Sendable (ScheduledJob, TakenJobRun) async -> JobResult) { self.body = body }

    func run(_ job: ScheduledJob, _ run: TakenJobRun) async -> JobResult {
      log.withLock { $0.append("\(job.name)@\(run.key.nominalAt)") }
      return await body(job, run)
    }
  }

  private static let well = JobResult(exitStatus: 0, error: nil, isCertified: true)

  private static func job(
    _ name: String, source: String = "jikan", every period: Int64 = 60, timeout: Duration? = nil
  ) -> ScheduledJob {
    let description = JobDescription(
      name: name, source: source, streams: [], schedule: "every \(period)s", timeZone: "UTC")
    return ScheduledJob(description, schedule: .every(.seconds(period)), zone: UTCRules(), timeout: timeout)
  }

  private final class Left<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  /// Runs a worker on its own queue. All ready tasks run before the clock advances.
  private final class Bench {
    let clock = ManualClock()
    let store: MemoryJobStore
    private let queue = RunQueue()

    init() { store = MemoryJobStore(clock) }

    func work(
      _ jobs: [ScheduledJob], _ runner: Runner, observer: @escaping @Sendable (WorkerEvent) -> Void = { _ in },
      _ body: () throws -> Void
    ) rethrows {
      let worker = Worker(
        store: store, runner: runner, clock: clock, chance: { 0.5 }, table: { (jobs: jobs, version: 1) },
        observer: observer)
      let isOver = Left<Bool>()
      try queue.bound {
        let work = Task(executorPreference: queue) {
          try? await worker.work()
          isOver.value = true
        }
        queue.drain()
        try body()
        work.cancel()
        queue.drain()
      }
      #expect(isOver.value == true, "a worker that is stopped ends at once")
    }

    func result<R: Sendable>(_ call: @escaping @Sendable () async throws -> R) throws -> R {
      let result = Left<Result<R, any Error>>()
      queue.bound {
        Task(executorPreference: queue) {
          do {
            let value = try await call()
            result.value = .success(value)
          } catch { result.value = .failure(error) }
        }
        queue.drain()
      }
      return try #require(result.value).get()
    }

    func pass(until second: Int64) {
      let end = Duration.seconds(second)
      while let next = clock.nextWake, next <= end {
        clock.advanceToNextSleeper()
        queue.drain()
      }
      clock.set(end)
    }
  }

  @Test("each time is run once, at its time, for each of the jobs")
  func everyTimeOnce() throws {
    let bench = Bench()
    let store = bench.store
    let runner = Runner { _, _ in Self.well }
    bench.work([Self.job("a"), Self.job("b", source: "itunes", every: 90)], runner) { bench.pass(until: 200) }
    #expect(store.endings == ["a@60 done", "b@90 done", "a@120 done", "a@180 done", "b@180 done"])
    #expect(runner.calls.count == 5)
    #expect(store.registrations == 1)
  }

  @Test("a worker records itself within the promised interval, and seldom; then that it has stopped")
  func recordsItself() throws {
    let bench = Bench()
    let store = bench.store
    bench.work([Self.job("a", every: 3600)], Runner { _, _ in Self.well }) {
      bench.pass(until: 120)
      #expect(store.stops == 0)
    }
    let gaps = zip(store.ticks, store.ticks.dropFirst()).map { $1 - $0 }
    #expect(store.ticks.first == 0 && gaps.count >= 7 && gaps.allSatisfy { (13...15).contains($0) }, "\(gaps)")
    #expect(store.stops == 1)

    let away = Bench()
    away.work([Self.job("a", every: 3600)], Runner { _, _ in Self.well }) {
      away.pass(until: 10)
      away.store.setAway(true)
      away.pass(until: 20)
      away.store.setAway(false)
    }
    #expect(away.store.ticks == [0] && away.store.stops == 0)
  }

  @Test("sources run concurrently, jobs of one source one after the other")
  func sideBySide() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let atWork = Mutex<(now: [String: Int], most: [String: Int])>(([:], [:]))
    let both = Mutex(0)
    let runner = Runner { job, _ in
      let source = job.description.source
      atWork.withLock { state in
        state.now[source, default: 0] += 1
        state.most[source] = max(state.most[source] ?? 0, state.now[source] ?? 0)
        if state.now.values.filter({ $0 > 0 }).count == 2 { both.withLock { $0 += 1 } }
      }
      try? await clock.sleep(for: .seconds(10))
      atWork.withLock { $0.now[source, default: 0] -= 1 }
      return Self.well
    }
    let jobs = [Self.job("a"), Self.job("b"), Self.job("c", source: "itunes")]
    bench.work(jobs, runner) { bench.pass(until: 100) }
    #expect(store.endings == ["a@60 done", "b@60 done", "c@60 done"])
    #expect(atWork.withLock { $0.most } == ["jikan": 1, "itunes": 1])
    #expect(both.withLock { $0 } > 0)
  }

  @Test("a worker that is stopped during a run leaves the run to the next worker")
  func stopping() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let runner = Runner { _, _ in
      try? await clock.sleep(for: .seconds(3600))
      return JobResult(exitStatus: 75, error: nil, isCertified: false)
    }
    bench.work([Self.job("a")], runner) { bench.pass(until: 65) }
    let run = try #require(store.runs[JobRunKey(job: "a", nominalAt: 60)])
    #expect(run.state == .waiting && run.attempts == 1 && run.failures == 0 && run.ending == nil)

    let second = Runner { _, _ in Self.well }
    bench.work([Self.job("a", every: 600)], second) { bench.pass(until: 70) }
    #expect(store.endings == ["a@60 done"])
  }

  @Test("a run that its timeout stopped is retried, unless its next time came meanwhile")
  func timeoutAndRetry() throws {
    func work(timeout: Duration, until end: Int64) -> MemoryJobStore {
      let bench = Bench()
      let clock = bench.clock
      let runner = Runner { _, _ in
        do { try await clock.sleep(for: .seconds(100_000)) } catch {}
        return JobResult(exitStatus: 75, error: nil, isCertified: false)
      }
      bench.work([Self.job("a", every: 2000, timeout: timeout)], runner) { bench.pass(until: end) }
      let longest = clock.sleeps.filter { $0 < .seconds(100_000) }.max()
      #expect(longest.map { $0 <= .seconds(60) } == true, "a timeout in one sleep")
      return bench.store
    }
    let early = work(timeout: .seconds(200), until: 2250)
    #expect(early.endings == ["a@2000 open"])
    #expect(early.runs.values.map(\.failures) == [1] && early.runs.values.map(\.dueAt) == [2500])
    let late = work(timeout: .seconds(2100), until: 4150)
    #expect(late.endings == ["a@2000 timeout", "a@4000 open"])
    #expect(late.runs.values.map(\.failures) == [0, 0])
  }

  @Test("a worker waits for an unavailable database, and then writes how its runs ended")
  func outage() throws {
    let bench = Bench()
    let store = bench.store
    let events = Mutex<[String]>([])
    let runner = Runner { _, _ in
      store.setAway(true)
      return Self.well
    }
    bench.work(
      [Self.job("a")], runner,
      observer: { event in
        switch event {
        case .databaseAway(_, _, isNews: true): events.withLock { $0.append("away") }
        case .databaseBack: events.withLock { $0.append("back") }
        default: break
        }
      }
    ) {
      bench.pass(until: 100)
      #expect(store.endings == ["a@60 open"])
      store.setAway(false)
      bench.pass(until: 116)
      #expect(store.endings == ["a@60 done"])
      #expect(runner.calls.count == 1)
    }
    #expect(events.withLock { $0 } == ["away", "back"])
  }

  @Test("a job whose stored time no schedule reaches is named once, and the others run")
  func neverDue() throws {
    let bench = Bench()
    let store = bench.store
    let named = Mutex<[String]>([])
    let runner = Runner { _, _ in Self.well }
    bench.work(
      [Self.job("a"), Self.job("b", every: 90)], runner,
      observer: { event in
        if case .neverDue(let job) = event { named.withLock { $0.append(job) } }
      }
    ) {
      store.setTime(of: "a", to: .max)
      bench.pass(until: 200)
    }
    #expect(store.endings == ["b@90 done", "b@180 done"])
    #expect(named.withLock { $0 } == ["a"])
  }

  @Test("while a due run waits for another one to end, the worker polls every two seconds and not continuously")
  func waitingForAnother() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let looks = Mutex(0)
    let runner = Runner { _, _ in
      try? await clock.sleep(for: .seconds(300))
      return Self.well
    }
    bench.work(
      [Self.job("a", every: 1000), Self.job("b", every: 1000)], runner,
      observer: { if case .looked = $0 { looks.withLock { $0 += 1 } } }
    ) {
      bench.pass(until: 1001)
      let before = looks.withLock { $0 }
      bench.pass(until: 1201)
      #expect(looks.withLock { $0 } - before <= 101)
      bench.pass(until: 1700)
    }
    #expect(store.endings == ["a@1000 done", "b@1000 done"])
  }

  @Test("a registration that the database has lost is registered again")
  func forgottenJobs() throws {
    let bench = Bench()
    let runner = Runner { _, _ in Self.well }
    bench.work([Self.job("a")], runner) {
      bench.pass(until: 61)
      bench.store.forget()
      bench.pass(until: 125)
    }
    #expect(bench.store.endings == ["a@60 done", "a@120 done"])
  }

  @Test("a run that another worker has taken over is cancelled, and its end is not written")
  func beingReplaced() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let lost = Mutex(0)
    let wasStopped = Mutex(false)
    let runner = Runner { _, _ in
      do { try await clock.sleep(for: .seconds(3600)) } catch { wasStopped.withLock { $0 = true } }
      return JobResult(exitStatus: 75, error: nil, isCertified: false)
    }
    bench.work([Self.job("a", every: 600)], runner, observer: { if case .lost = $0 { lost.withLock { $0 += 1 } } }) {
      bench.pass(until: 605)
      store.steal()
      bench.pass(until: 635)
      #expect(wasStopped.withLock { $0 })
    }
    #expect(lost.withLock { $0 } == 1)
    #expect(store.runs.values.allSatisfy { $0.ending == nil && $0.state == .running })
  }

  @Test("a run during which several workers have died is not retried")
  func abandoning() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let runner = Runner { _, _ in Self.well }
    let description = Self.job("a").description
    try bench.result { try await store.register([description], replacing: true) }
    try bench.result { try await store.record([JobFiring(job: description, nominalAt: 1, skipped: 0, delay: .zero)]) }
    store.note(deaths: Limits.jobDeaths)
    clock.set(.seconds(2))
    bench.work([Self.job("a")], runner) {}
    #expect(store.endings == ["a@1 abandoned"])
    #expect(runner.calls == [])
  }

  @Test("once: all due jobs are run, those of one source one after the other, and then it ends")
  func once() throws {
    let bench = Bench()
    let (clock, store) = (bench.clock, bench.store)
    let jobs = [Self.job("a"), Self.job("b"), Self.job("c", source: "itunes")]
    try bench.result { try await store.register(jobs.map(\.description), replacing: true) }
    clock.set(.seconds(150))
    let worker = Worker(
      store: store, runner: Runner { _, _ in Self.well }, clock: clock, chance: { 0 },
      table: { (jobs: jobs, version: 1) }, observer: { _ in })
    let tried = try bench.result { try await worker.workOnce() }
    #expect(tried.map(\.run.key.job).sorted() == ["a", "b", "c"])
    #expect(tried.allSatisfy { $0.run.skipped == 1 && $0.run.key.nominalAt == 120 })
    #expect(try bench.result { try await worker.workOnce() }.isEmpty)
  }
}

struct JobRuleTests {
  private static let description = JobDescription(
    name: "a", source: "jikan", streams: [], schedule: "@hourly", timeZone: "UTC")

  private func job(retries: Int = 3, makesUp: Bool = true, jitter: Duration = .zero) -> ScheduledJob {
    ScheduledJob(
      Self.description, schedule: .every(.seconds(3600)), zone: UTCRules(), jitter: jitter, timeout: .seconds(600),
      makesUp: makesUp, retries: retries)
  }

  private func run(failures: Int = 0, attempts: Int = 1) -> TakenJobRun {
    TakenJobRun(
      key: JobRunKey(job: "a", nominalAt: 0), generation: 1, leaseTTL: .seconds(90), attempts: attempts,
      failures: failures, deaths: 0, skipped: 0, lateness: .zero, isTakeover: false)
  }

  private func disposition(
    _ error: SyncError?, exitStatus: Int32, failures: Int = 0, attempts: Int = 1, retries: Int = 3,
    untilNext: Duration? = .seconds(86_400), isTimedOut: Bool = false, isCertified: Bool? = nil
  ) -> JobDisposition {
    JobDisposition(
      JobResult(exitStatus: exitStatus, error: error, isCertified: isCertified ?? (error == nil)),
      of: run(failures: failures, attempts: attempts), job(retries: retries), isTimedOut: isTimedOut,
      untilNext: untilNext)
  }

  private func outcome(_ disposition: JobDisposition) -> JobEnding.FinalState? {
    if case .end(let ending) = disposition { ending.outcome } else { nil }
  }

  private func pause(_ disposition: JobDisposition) -> Duration? {
    if case .release(let pause, _, _) = disposition { pause } else { nil }
  }

  private static let down = SyncError(.upstream, "the service is down")

  @Test("a transient failure is retried after 5, 10, 20 minutes, an hour at most, as often as configured")
  func retries() {
    #expect(pause(disposition(Self.down, exitStatus: 69)) == .seconds(300))
    #expect(pause(disposition(Self.down, exitStatus: 69, failures: 1)) == .seconds(600))
    #expect(pause(disposition(Self.down, exitStatus: 69, failures: 2)) == .seconds(1200))
    #expect(outcome(disposition(Self.down, exitStatus: 69, failures: 3)) == .failed)
    #expect(pause(disposition(Self.down, exitStatus: 69, failures: 19, retries: 20)) == .seconds(3600))
    #expect(outcome(disposition(Self.down, exitStatus: 69, retries: 0)) == .failed)
    #expect(pause(disposition(SyncError(.tryLater, "spent"), exitStatus: 75)) == .seconds(300))
  }

  @Test("a retry that would come after the next time is left to that time")
  func noTryBehindTheNextTime() {
    #expect(outcome(disposition(Self.down, exitStatus: 69, untilNext: .seconds(300))) == .failed)
    #expect(pause(disposition(Self.down, exitStatus: 69, untilNext: .seconds(301))) == .seconds(300))
    #expect(pause(disposition(Self.down, exitStatus: 69, untilNext: nil)) == .seconds(300))
  }

  @Test("a failure that a person has to fix is not retried")
  func noTryForAPerson() {
    for code in [SyncError.Code.configuration, .permission, .guarded, .usage] {
      let error = SyncError(code, "no")
      #expect(outcome(disposition(error, exitStatus: error.code.exitStatus)) == .failed)
    }
    #expect(outcome(disposition(nil, exitStatus: 1)) == .failed)
    #expect(outcome(disposition(nil, exitStatus: 0)) == .done)
  }

  @Test("a run that its timeout stopped is retried as often as any other")
  func timeouts() {
    let stopped = disposition(nil, exitStatus: 75, isTimedOut: true, isCertified: false)
    #expect(pause(stopped) == .seconds(300))
    let last = disposition(nil, exitStatus: 75, failures: 3, isTimedOut: true, isCertified: false)
    #expect(outcome(last) == .timeout)
    if case .end(let ending) = last { #expect(ending.exitStatus == 75 && ending.error?.contains("600 s") == true) }
    #expect(outcome(disposition(nil, exitStatus: 0, isTimedOut: true)) == .done)
  }

  @Test("an unavailable database is not a failure of the job, and is not polled in a loop")
  func databaseAway() {
    let error = SyncError(.database, "gone")
    #expect(pause(disposition(error, exitStatus: 74)) == .seconds(1))
    #expect(pause(disposition(error, exitStatus: 74, failures: 3, attempts: 4)) == .seconds(8))
    #expect(pause(disposition(error, exitStatus: 74, attempts: 30)) == .seconds(300))
    if case .release(_, let told, let isFailure) = disposition(error, exitStatus: 74) {
      #expect(told == "gone" && !isFailure)
    }
    #expect(
      outcome(disposition(error, exitStatus: 74, attempts: Limits.jobDatabaseAttempts + 1, retries: 0)) == .failed)
  }

  @Test("one run makes up for all missed times, unless the job wants none")
  func catchingUp() {
    let entry = JobBoard.Entry(scheduledUntil: 0, isPaused: false, isOurs: true)
    let firing = job().firing(entry, now: 3600 * 70 + 1800, chance: { 0 })
    #expect(firing?.nominalAt == 3600 * 70 && firing?.skipped == 69 && firing?.delay == .zero)

    let late = job(makesUp: false).firing(entry, now: 3600 * 70 + 61, chance: { 0 })
    #expect(late?.nominalAt == 3600 * 70 && late?.delay == nil)
    #expect(job(makesUp: false).firing(entry, now: 3600 * 70 + 60, chance: { 0 })?.delay == .zero)
    #expect(job().firing(entry, now: 3599.9, chance: { 0 }) == nil)
    #expect(job(jitter: .seconds(100)).firing(entry, now: 3600, chance: { 0.25 })?.delay == .seconds(25))
  }

  @Test("no time is due for a paused job, nor for one that another worker has with another schedule")
  func notOurs() {
    let paused = JobBoard.Entry(scheduledUntil: 0, isPaused: true, isOurs: true)
    let others = JobBoard.Entry(scheduledUntil: 0, isPaused: false, isOurs: false, nextDue: 10)
    #expect(job().firing(paused, now: 9999, chance: { 0 }) == nil)
    #expect(job().firing(others, now: 9999, chance: { 0 }) == nil)
    #expect(job().pause(paused, now: 0) == nil)
    #expect(job().pause(others, now: 4) == .seconds(6))
    #expect(job().pause(others, now: 11) == nil, "a due run that was not taken waits for another run")
  }
}
