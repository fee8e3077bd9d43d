package import SyncCore

package struct JobStoreUnderTest: Sendable {
  package let store: any JobStore
  /// The store of a second worker for the same jobs.
  package let other: any JobStore
  /// Backdates the registration of all jobs by a day.
  package let backdate: @Sendable () async throws -> Void
  package let expireLeases: @Sendable () async throws -> Void

  package init(
    _ store: any JobStore, other: any JobStore, backdate: @escaping @Sendable () async throws -> Void,
    expireLeases: @escaping @Sendable () async throws -> Void
  ) {
    self.store = store
    self.other = other
    self.backdate = backdate
    self.expireLeases = expireLeases
  }
}

/// Each check needs an empty store.
package enum JobStoreConformance: CaseIterable, Sendable {
  case registering, recording, superseding, lateness, taking, oneAtATime, takingOver, ending, releasing

  package func run(_ test: JobStoreUnderTest) async throws {
    switch self {
    case .registering: try await registering(test)
    case .recording: try await recording(test)
    case .superseding: try await superseding(test)
    case .lateness: try await lateness(test)
    case .taking: try await taking(test)
    case .oneAtATime: try await oneAtATime(test)
    case .takingOver: try await takingOver(test)
    case .ending: try await ending(test)
    case .releasing: try await releasing(test)
    }
  }

  private func job(_ name: String, schedule: String = "15 3 * * *") -> JobDescription {
    JobDescription(name: name, source: "one", streams: ["a"], schedule: schedule, timeZone: "UTC")
  }

  private func firing(_ name: String, _ instant: Int64, skipped: Int = 0, delay: Duration? = .zero) -> JobFiring {
    JobFiring(job: job(name), nominalAt: instant, skipped: skipped, delay: delay)
  }

  private static let done = JobEnding(outcome: .done, exitStatus: 0, isCertified: true, error: nil)

  /// Returns a time when the jobs are due, in seconds since 1970.
  private func register(_ names: [String], _ test: JobStoreUnderTest) async throws -> Int64 {
    try await test.store.register(names.map { job($0) }, replacing: true)
    try await test.backdate()
    return Int64(try await test.store.board(of: []).now) - 3600
  }

  private func take(_ jobs: [String], _ store: any JobStore) async throws -> TakenJobRun {
    guard let run = try await store.take(jobs) else {
      throw ConformanceFailure(description: "a run that is due was not taken")
    }
    return run
  }

  private func entry(_ job: JobDescription, _ store: any JobStore) async throws -> JobBoard.Entry {
    guard let entry = try await store.board(of: [job]).jobs[job.name] else {
      throw ConformanceFailure(description: "a registered job is not on the board")
    }
    return entry
  }

  private func promiseLost(_ what: String, _ body: () async throws -> Void) async throws {
    let lost = try await thrown(JobRunLost.self, by: body)
    try promise(lost != nil, "\(what) of a run that is another worker's, or has ended, is refused")
  }

  private func registering(_ test: JobStoreUnderTest) async throws {
    try await test.store.register([job("a")], replacing: true)
    let board = try await test.store.board(of: [job("a"), job("b")])
    try promise(Array(board.jobs.keys), ["a"], "the board has the jobs that were registered")
    let new = try await entry(job("a"), test.store)
    try promise(abs(Double(new.scheduledUntil) - board.now) < 5, "the times of a new job count from now on")
    try promise(new.isOurs && !new.isPaused && new.nextDue == nil, "nothing of it is due: \(new)")

    try await test.backdate()
    let old = try await entry(job("a"), test.store).scheduledUntil
    try promise(old < new.scheduledUntil, "the test has a job of yesterday")
    try await test.other.register([job("a")], replacing: true)
    try promise(try await entry(job("a"), test.store).scheduledUntil, old, "the same job again changes nothing")

    let changed = job("a", schedule: "@hourly")
    try await test.other.register([changed], replacing: false)
    try promise(try await entry(changed, test.other).isOurs, false, "another word counts where none is replaced")
    try await test.other.register([changed], replacing: true)
    let replaced = try await entry(changed, test.other)
    try promise(replaced.isOurs, "the last word counts")
    try promise(replaced.scheduledUntil > old, "the times of another schedule count from now on")
    try promise(try await entry(job("a"), test.store).isOurs, false, "which other workers see")
  }

  private func recording(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant)])
    try promise(try await entry(job("a"), test.store).scheduledUntil, instant, "a time that was noted is seen to")
    try await test.other.record([firing("a", instant), firing("a", instant - 60)])
    let run = try await take(["a"], test.other)
    try promise(run.key, JobRunKey(job: "a", nominalAt: instant), "the run is the time's")
    try await test.other.end(run, Self.done)
    try promise(try await test.store.take(["a"]) == nil, "a time is noted once, whoever sees it")

    let otherwise = JobFiring(job: job("a", schedule: "@hourly"), nominalAt: instant + 60, skipped: 0, delay: .zero)
    try await test.store.record([otherwise])
    try promise(try await test.store.take(["a"]) == nil, "times of another configuration are not noted")
  }

  private func superseding(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant, skipped: 2)])
    try await test.other.record([firing("a", instant + 60, skipped: 1)])
    let run = try await take(["a"], test.store)
    try promise(run.key.nominalAt, instant + 60, "a run that has not begun is superseded by the next time")
    try promise(run.skipped, 4, "which stands for it, and for all that it stood for")
    try await test.store.release(run, after: .zero, error: nil, isFailure: false)
    try await test.store.record([firing("a", instant + 120)])
    let stopped = try await take(["a"], test.store)
    try promise(stopped.key.nominalAt, instant + 60, "a run that was stopped is not superseded")
    try await test.store.release(stopped, after: .zero, error: "the service is down", isFailure: true)
    try await test.store.record([firing("a", instant + 180)])
    let next = try await take(["a"], test.store)
    try promise(next.key.nominalAt, instant + 180, "a run that waits for another try is superseded")
  }

  private func lateness(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant, delay: nil)])
    try promise(try await entry(job("a"), test.store).scheduledUntil, instant, "a time that came too late is seen to")
    try promise(try await test.store.take(["a"]) == nil, "and not run")
  }

  private func taking(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a", "b", "c"], test)
    let later = Duration.seconds(7200)
    try await test.store.record([firing("a", instant), firing("b", instant - 60), firing("c", instant, delay: later)])
    let due = try await entry(job("c"), test.store).nextDue
    try promise(due, Double(instant) + 7200, "the board says when the next run may be taken")
    try promise(try await test.store.take([]) == nil, "runs of other jobs are left")
    let first = try await take(["a", "b", "c"], test.store)
    try promise(first.key.job, "b", "the run with the oldest time comes first")
    try promise(first.attempts == 1 && first.failures == 0 && first.deaths == 0 && !first.isTakeover, "\(first)")
    try promise(abs(first.lateness / .seconds(1) - 3660) < 60, "how late it is is told: \(first.lateness)")
    try promise(try await take(["a", "b", "c"], test.other).key.job, "a", "other workers take other runs")
    try promise(try await test.other.take(["a", "b", "c"]) == nil, "a run that is not due yet is left")
  }

  private func oneAtATime(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant)])
    let run = try await take(["a"], test.store)
    try await test.store.record([firing("a", instant + 60)])
    try promise(try await test.other.take(["a"]) == nil, "no job is run twice at the same time")
    try await test.store.end(run, Self.done)
    try promise(try await take(["a"], test.other).key.nominalAt, instant + 60, "its next run waits for that")
  }

  private func takingOver(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant)])
    let old = try await take(["a"], test.store)
    try await test.store.renew(old)
    try promise(try await test.other.take(["a"]) == nil, "a run is its worker's as long as the lease lasts")
    try await test.expireLeases()
    let new = try await take(["a"], test.other)
    try promise(new.key, old.key, "a run whose lease is over goes to another worker")
    try promise(new.isTakeover && new.deaths == 1 && new.attempts == 2, "which is told so: \(new)")
    try promise(new.generation > old.generation, "the fence tells every holder from the one before")
    try await promiseLost("a heartbeat") { try await test.store.renew(old) }
    try await promiseLost("an ending") { try await test.store.end(old, Self.done) }
    try await promiseLost("a release") {
      try await test.store.release(old, after: .zero, error: nil, isFailure: false)
    }
    try await test.other.renew(new)
    try await test.other.end(new, Self.done)
  }

  private func ending(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant)])
    let run = try await take(["a"], test.store)
    try await test.store.end(run, Self.done)
    try await test.store.end(run, Self.done)
    try await promiseLost("a heartbeat") { try await test.store.renew(run) }
    try await promiseLost("a release") {
      try await test.store.release(run, after: .zero, error: nil, isFailure: false)
    }
    try await test.expireLeases()
    try promise(try await test.other.take(["a"]) == nil, "a run that has ended is not taken again")
  }

  private func releasing(_ test: JobStoreUnderTest) async throws {
    let instant = try await register(["a"], test)
    try await test.store.record([firing("a", instant)])
    let first = try await take(["a"], test.store)
    try await test.store.release(first, after: .zero, error: nil, isFailure: false)
    try await promiseLost("a heartbeat") { try await test.store.renew(first) }
    let second = try await take(["a"], test.other)
    try promise(second.attempts == 2 && second.failures == 0 && !second.isTakeover, "it was only stopped: \(second)")
    try await test.other.release(second, after: .seconds(300), error: "the service is down", isFailure: true)
    try promise(try await test.store.take(["a"]) == nil, "after a failure there is a pause")
    let due = try await entry(job("a"), test.store).nextDue ?? 0
    let now = try await test.store.board(of: []).now
    try promise(abs(due - now - 300) < 60, "as long as was set: \(due - now) s")
  }
}
