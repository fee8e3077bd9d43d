import SyncCore
import Synchronization

@testable import SyncEngine

/// Jobs as workers share them, in memory, by the time of a manual clock.
final class MemoryJobStore: JobStore {
  struct Run {
    var isWaiting = true
    var dueAt: Double
    var generation: Int64 = 0
    var attempts = 0
    var failures = 0
    var deaths = 0
    var skipped = 0
    var ending: JobEnding?
    var leaseUntil: Double?
  }

  private struct State {
    var until: [String: Int64] = [:]
    var runs: [JobRunKey: Run] = [:]
    var isAway = false
    var registrations = 0
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Double
  private let ttl: Duration

  init(_ clock: ManualClock, ttl: Duration = .seconds(90)) {
    now = { clock.now() / .seconds(1) }
    self.ttl = ttl
  }

  var runs: [JobRunKey: Run] { state.withLock { $0.runs } }
  var registrations: Int { state.withLock { $0.registrations } }
  var endings: [String] {
    runs.sorted { ($0.key.nominalAt, $0.key.job) < ($1.key.nominalAt, $1.key.job) }
      .map { "\($0.key.job)@\($0.key.nominalAt) \($0.value.ending?.outcome.rawValue ?? "open")" }
  }

  /// The database goes away, and comes back.
  func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

  /// Another worker takes all that is at work.
  func steal() {
    state.withLock { state in for key in state.runs.keys { state.runs[key]?.generation += 1 } }
  }

  func note(deaths: Int) {
    state.withLock { state in for key in state.runs.keys { state.runs[key]?.deaths = deaths } }
  }

  private func use<R: Sendable>(_ body: (inout State) throws -> sending R) throws -> R {
    try state.withLock { state in
      if state.isAway { throw SyncError(.database, "the database is away") }
      return try body(&state)
    }
  }

  /// Forgets what was registered, as after a failover that lost it.
  func forget() { state.withLock { $0.until = [:] } }

  func prune() async throws {}

  func register(_ jobs: [JobDescription], replacing: Bool) async throws {
    try use { state in
      state.registrations += 1
      for job in jobs where state.until[job.name] == nil { state.until[job.name] = Int64(now()) }
    }
  }

  func board(of jobs: [JobDescription]) async throws -> JobBoard {
    try use { state in
      let entries = jobs.compactMap { job in
        state.until[job.name].map { until in
          let due = state.runs.filter { $0.key.job == job.name && $0.value.isWaiting }.map(\.value.dueAt).min()
          return (job.name, JobBoard.Entry(scheduledUntil: until, isPaused: false, isOurs: true, nextDue: due))
        }
      }
      return JobBoard(now: now(), jobs: Dictionary(entries, uniquingKeysWith: { first, _ in first }))
    }
  }

  func record(_ firings: [JobFiring]) async throws {
    try use { state in
      for firing in firings where (state.until[firing.job.name] ?? 0) < firing.nominalAt {
        state.until[firing.job.name] = firing.nominalAt
        guard let delay = firing.delay else { continue }
        let key = JobRunKey(job: firing.job.name, nominalAt: firing.nominalAt)
        state.runs[key] = Run(dueAt: Double(firing.nominalAt) + delay / .seconds(1), skipped: firing.skipped)
      }
    }
  }

  func take(_ jobs: [String]) async throws -> TakenJobRun? {
    try use { state in
      let due = state.runs.filter { jobs.contains($0.key.job) && $0.value.isWaiting && $0.value.dueAt <= now() }
      guard let (key, run) = due.min(by: { ($0.value.dueAt, $0.key.job) < ($1.value.dueAt, $1.key.job) }) else {
        return nil
      }
      var taken = run
      taken.isWaiting = false
      taken.generation += 1
      taken.attempts += 1
      state.runs[key] = taken
      return TakenJobRun(
        key: key, generation: taken.generation, leaseTTL: ttl, attempts: taken.attempts, failures: taken.failures,
        deaths: taken.deaths, skipped: taken.skipped, lateness: .seconds(now() - Double(key.nominalAt)),
        isTakeover: false)
    }
  }

  private func change(_ run: TakenJobRun, _ body: (inout Run) -> Void) throws {
    try use { state in
      guard state.runs[run.key]?.generation == run.generation, state.runs[run.key]?.isWaiting == false else {
        throw JobRunLost(key: run.key)
      }
      if var stored = state.runs[run.key] {
        body(&stored)
        state.runs[run.key] = stored
      }
    }
  }

  func renew(_ run: TakenJobRun) async throws { try change(run) { _ in } }

  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws { try change(run) { $0.ending = ending } }

  func release(
    _ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool
  ) async throws {
    try change(run) { stored in
      stored.isWaiting = true
      stored.dueAt = now() + pause / .seconds(1)
      stored.failures += isFailure ? 1 : 0
    }
  }
}
