import SyncCore
import Synchronization

@testable import SyncEngine

final class MemoryJobStore: JobStore {
  struct Run {
    enum State { case waiting, running, ended }

    var state = State.waiting
    var dueAt: Double
    var generation: Int64 = 0
    var attempts = 0
    var failures = 0
    var deaths = 0
    var skipped = 0
    var ending: JobEnding?
    var leaseUntil = 0.0
  }

  private struct State {
    var jobs: [String: (description: JobDescription, until: Int64)] = [:]
    var runs: [JobRunKey: Run] = [:]
    var isAway = false
    var registrations = 0
    var ticks: [Double] = []
    var stops = 0
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
  var ticks: [Double] { state.withLock { $0.ticks } }
  var stops: Int { state.withLock { $0.stops } }
  var endings: [String] {
    runs.sorted { ($0.key.nominalAt, $0.key.job) < ($1.key.nominalAt, $1.key.job) }.map { key, run in
      "\(key.job)@\(key.nominalAt) " + (run.ending?.outcome.rawValue ?? (run.state == .ended ? "superseded" : "open"))
    }
  }

  func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

  func steal() { state.withLock { state in for key in state.runs.keys { state.runs[key]?.generation += 1 } } }

  func note(deaths: Int) { state.withLock { state in for key in state.runs.keys { state.runs[key]?.deaths = deaths } } }

  private func use<R: Sendable>(_ body: (inout State) throws -> sending R) throws -> R {
    try state.withLock { state in
      if state.isAway { throw SyncError(.database, "the database is away") }
      return try body(&state)
    }
  }

  func forget() { state.withLock { $0.jobs = [:] } }

  func backdate(by seconds: Int64) {
    state.withLock { state in for name in state.jobs.keys { state.jobs[name]?.until -= seconds } }
  }

  func setTime(of name: String, to until: Int64) { state.withLock { $0.jobs[name]?.until = until } }

  func expireLeases() { state.withLock { state in for key in state.runs.keys { state.runs[key]?.leaseUntil = 0 } } }

  func prune() async throws {}

  func recordWorker(isStopped: Bool) async throws {
    try use { state in
      if isStopped { state.stops += 1 } else { state.ticks.append(now()) }
    }
  }

  func register(_ jobs: [JobDescription], replacing: Bool) async throws {
    try use { state in
      state.registrations += 1
      for job in jobs {
        let known = state.jobs[job.name]
        if known != nil, !replacing { continue }
        let isSameSchedule = known?.description.schedule == job.schedule && known?.description.timeZone == job.timeZone
        state.jobs[job.name] = (job, known.flatMap { isSameSchedule ? $0.until : nil } ?? Int64(now()))
      }
    }
  }

  func board(of jobs: [JobDescription]) async throws -> JobBoard {
    try use { state in
      let entries = jobs.compactMap { job in
        state.jobs[job.name].map { known in
          let due = state.runs.filter { $0.key.job == job.name && $0.value.state == .waiting }.map(\.value.dueAt).min()
          let entry = JobBoard.Entry(
            scheduledUntil: known.until, isPaused: false, isOurs: known.description == job, nextDue: due)
          return (job.name, entry)
        }
      }
      return JobBoard(now: now(), jobs: Dictionary(entries, uniquingKeysWith: { first, _ in first }))
    }
  }

  func record(_ firings: [JobFiring]) async throws {
    try use { state in
      for firing in firings {
        guard let known = state.jobs[firing.job.name], known.description == firing.job, known.until < firing.nominalAt
        else { continue }
        state.jobs[firing.job.name]?.until = firing.nominalAt
        guard let delay = firing.delay else { continue }
        var skipped = firing.skipped
        // A stopped run is resumed later. A run that has not begun or waits for a retry is replaced by the next run.
        for (key, run) in state.runs
        where key.job == firing.job.name && run.state == .waiting && (run.attempts == 0 || run.failures > 0) {
          state.runs[key]?.state = .ended
          if run.failures == 0 { skipped += run.skipped + 1 }
        }
        let key = JobRunKey(job: firing.job.name, nominalAt: firing.nominalAt)
        state.runs[key] = Run(dueAt: Double(firing.nominalAt) + delay / .seconds(1), skipped: skipped)
      }
    }
  }

  func take(_ jobs: [String]) async throws -> TakenJobRun? {
    try use { state in
      let atWork = Set(state.runs.filter { $0.value.state == .running }.keys.map(\.job))
      let due = state.runs.filter { key, run in
        guard jobs.contains(key.job) else { return false }
        switch run.state {
        case .waiting: return run.dueAt <= now() && !atWork.contains(key.job)
        case .running: return run.leaseUntil < now()
        case .ended: return false
        }
      }
      guard
        let (key, run) = due.min(by: { ($0.key.nominalAt, $0.key.job) < ($1.key.nominalAt, $1.key.job) })
      else { return nil }
      var taken = run
      taken.state = .running
      taken.generation += 1
      taken.attempts += 1
      taken.deaths += run.state == .running ? 1 : 0
      taken.leaseUntil = now() + ttl / .seconds(1)
      state.runs[key] = taken
      return TakenJobRun(
        key: key, generation: taken.generation, leaseTTL: ttl, attempts: taken.attempts, failures: taken.failures,
        deaths: taken.deaths, skipped: taken.skipped, lateness: .seconds(now() - Double(key.nominalAt)),
        isTakeover: run.state == .running)
    }
  }

  private func change(_ run: TakenJobRun, _ body: (inout Run) -> Void) throws {
    try use { state in
      guard var stored = state.runs[run.key], stored.generation == run.generation, stored.state == .running else {
        throw JobRunLost(key: run.key)
      }
      body(&stored)
      state.runs[run.key] = stored
    }
  }

  func renew(_ run: TakenJobRun) async throws { try change(run) { $0.leaseUntil = now() + ttl / .seconds(1) } }

  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws {
    do {
      try change(run) { stored in
        stored.state = .ended
        stored.ending = ending
      }
    } catch let lost as JobRunLost {
      // A worker repeats a call whose answer was lost. The second call must succeed too.
      guard runs[run.key]?.generation == run.generation, runs[run.key]?.state == .ended else { throw lost }
    }
  }

  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws {
    try change(run) { stored in
      stored.state = .waiting
      stored.dueAt = now() + pause / .seconds(1)
      stored.failures += isFailure ? 1 : 0
    }
  }
}
