package import SyncCore

/// Runs due jobs, at most one per source at a time. A cancelled worker leaves its runs to the next worker.
package struct Worker: Sendable {
  private let store: any JobStore
  private let runner: any JobRunner
  private let clock: any SyncClock
  private let chance: Chance
  private let table: @Sendable () -> JobTable
  private let observer: @Sendable (WorkerEvent) -> Void

  /// Creates a worker that does nothing before `work`.
  /// - Parameters:
  ///   - chance: Returns random numbers for the jitter of firings and for pauses.
  ///   - table: Returns the configured jobs. It is called at each step, so that a new configuration takes effect.
  ///   - observer: Gets the events of jobs and runs, for logs and metrics.
  package init(
    store: any JobStore, runner: any JobRunner, clock: any SyncClock, chance: @escaping Chance,
    table: @escaping @Sendable () -> JobTable, observer: @escaping @Sendable (WorkerEvent) -> Void
  ) {
    self.store = store
    self.runner = runner
    self.clock = clock
    self.chance = chance
    self.table = table
    self.observer = observer
  }

  /// The end of a task: a pause is over, or a run of a source has ended.
  private enum Event: Sendable {
    case due
    case ended(source: String, unsettled: AttemptedRun?)
  }

  /// A run that was attempted, and the decision about it.
  package struct AttemptedRun: Sendable {
    package let run: TakenJobRun
    package let disposition: JobDisposition
    /// Whether the decision could not be recorded yet, because the store failed.
    fileprivate var isUnsettled = false
  }

  /// The state of `work` between its steps.
  private struct LoopState {
    var registeredVersion: Int?
    var otherwiseConfigured: Set<String> = []
    var neverDue: Set<String> = []
    var busySources: Set<String> = []
    var unsettled: [AttemptedRun] = []
    var outagePause: Duration?
    var outageStart: Duration?
    var hasTimer = false
    var prunedAt: Duration?
    var tickedAt: Duration?
    var failure: (any Error)?
  }

  /// Works until the task is cancelled, or until the database has been unavailable for longer than `longestOutage`, and
  /// then returns without an error. `nil` means that every outage is survived.
  ///
  /// Throws errors of the store that the user must fix: `.permission` and `.configuration`.
  package func work(longestOutage: Duration? = nil) async throws {
    var state = LoopState()
    await withTaskGroup(of: Event.self) { group in
      await look(&state, &group)
      for await event in group {
        if let start = state.outageStart, let longestOutage, clock.now() - start > longestOutage { group.cancelAll() }
        if state.failure != nil { group.cancelAll() }

        switch event {
        case .due: state.hasTimer = false
        case .ended(let source, let unsettled):
          state.busySources.remove(source)
          if let unsettled { state.unsettled.append(unsettled) }
        }

        if !Task.isCancelled, !group.isCancelled { await look(&state, &group) }
      }
      // If an outcome is not recorded, the next worker waits until the lease of the run expires.
      try? await finishing(clock) { [state] in
        for attempted in state.unsettled { try await settle(attempted) }
        if state.tickedAt != nil, state.outagePause == nil { try await store.recordWorker(isStopped: true) }
      }
    }

    if let failure = state.failure { throw failure }
  }

  /// Runs the jobs that are due until none is due. Sources run at the same time, and the runs of a source one after
  /// another.
  /// - Returns: The attempted runs, without runs that another worker has taken over.
  /// - Throws: The error of the store. Errors of the jobs are in the decisions.
  package func workOnce() async throws -> [AttemptedRun] {
    var state = LoopState()
    _ = try await recordDueFirings(&state)
    return try await withThrowingTaskGroup { group in
      let names = Dictionary(grouping: table().jobs, by: \.description.source)
      for jobs in names.values {
        group.addTask {
          var all: [AttemptedRun] = []
          while !Task.isCancelled {
            let requestedAt = clock.now()
            guard let run = try await store.take(jobs.map(\.name)),
              let job = jobs.first(where: { $0.name == run.key.job })
            else { break }
            guard let attempted = await attempt(run, job, takenAt: requestedAt) else { continue }
            if attempted.isUnsettled { try await settle(attempted) }
            all.append(attempted)
          }
          return all
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Does one step of `work`: records unsettled decisions, due firings and a sign of life, takes due runs, and starts a
  /// timer. An error of the store is reported, and the next step follows after a growing pause.
  private func look(_ state: inout LoopState, _ group: inout TaskGroup<Event>) async {
    var pause: Duration
    do {
      while let unsettled = state.unsettled.last {
        try await settle(unsettled)
        state.unsettled.removeLast()
      }

      pause = min(try await recordDueFirings(&state), Limits.jobPoll)
      if state.tickedAt.map({ clock.now() - $0 >= Limits.workerTick - Limits.jobPoll }) ?? true {
        try await store.recordWorker(isStopped: false)
        state.tickedAt = clock.now()
      }

      try await take(&state, &group)
      if state.outagePause != nil { observer(.databaseBack) }
      state.outagePause = nil
      state.outageStart = nil
    } catch is CancellationError {
      return
    } catch {
      state.outageStart = state.outageStart ?? clock.now()
      let needsUser = [.permission, .configuration].contains((error as? SyncError)?.code)
      state.failure = needsUser ? error : state.failure
      let isNews = state.outagePause == nil
      pause = state.outagePause.map { min($0 * 2, Limits.workerPauseCap) } ?? Limits.workerPause
      state.outagePause = pause
      pause = pause * (0.5 + chance() / 2)
      observer(.databaseAway(error, pause: pause, isNews: isNews))
    }

    guard !state.hasTimer else { return }
    state.hasTimer = true
    let rest = max(pause, .milliseconds(1))
    group.addTask {
      try? await clock.sleep(for: rest)
      return .due
    }
  }

  /// Registers a new configuration, records due firings and reports the state of the jobs.
  /// - Returns: The time until the next run is due, or `Limits.jobPoll` if none is planned.
  private func recordDueFirings(_ state: inout LoopState) async throws -> Duration {
    let table = table()
    let descriptions = table.jobs.map(\.description)
    if state.registeredVersion != table.version {
      try await store.register(descriptions, replacing: true)
      state.registeredVersion = table.version
      state.otherwiseConfigured = []
    }

    if state.prunedAt.map({ clock.now() - $0 > Limits.jobPruning }) ?? true {
      try await store.prune()
      state.prunedAt = clock.now()
    }

    let board = try await store.board(of: descriptions)
    // A failover or a restored backup can have removed the jobs, so they are registered again.
    if board.jobs.count < descriptions.count { state.registeredVersion = nil }

    let firings = table.jobs.compactMap { job in
      board.jobs[job.name].flatMap { job.firing($0, now: board.now, chance: chance) }
    }
    if !firings.isEmpty { try await store.record(firings) }

    observer(.looked(board))
    for job in table.jobs where board.jobs[job.name]?.isOurs == false {
      if state.otherwiseConfigured.insert(job.name).inserted { observer(.otherwiseConfigured(job: job.name)) }
    }

    let neverDue = table.jobs.filter { board.jobs[$0.name].map($0.isNeverDue) == true }.map(\.name)
    for job in neverDue where !state.neverDue.contains(job) { observer(.neverDue(job: job)) }
    state.neverDue = Set(neverDue)

    let pauses = table.jobs.compactMap { job in board.jobs[job.name].flatMap { job.pause($0, now: board.now) } }
    return pauses.min() ?? Limits.jobPoll
  }

  /// Starts a task for each due run of a source that is not at work.
  private func take(_ state: inout LoopState, _ group: inout TaskGroup<Event>) async throws {
    let table = table()
    while !Task.isCancelled {
      let idle = table.jobs.filter { !state.busySources.contains($0.description.source) }
      let requestedAt = clock.now()
      guard let run = try await store.take(idle.map(\.name)) else { return }
      guard let job = idle.first(where: { $0.name == run.key.job }) else { return }

      let source = job.description.source
      state.busySources.insert(source)
      group.addTask {
        let attempted = await attempt(run, job, takenAt: requestedAt)
        return .ended(source: source, unsettled: attempted.flatMap { $0.isUnsettled ? $0 : nil })
      }
    }
  }

  /// Runs a taken run while its lease is renewed, and records the decision.
  /// - Parameter takenAt: The time of the worker's clock before the run was taken.
  /// - Returns: `nil` if another worker has taken over the run.
  private func attempt(_ run: TakenJobRun, _ job: ScheduledJob, takenAt: Duration) async -> AttemptedRun? {
    observer(.took(run))
    guard run.deaths < Limits.jobDeaths else {
      return await settled(AttemptedRun(run: run, disposition: .abandoned(run)))
    }

    let keeper = LeaseKeeper(ttl: run.leaseTTL, takenAt: takenAt, clock: clock) { try await renew(run) }
    let (outcome, lost) = await keeper.whileKept { await disposition(of: job, run) }

    if let lost = lost as? JobRunLost {
      observer(.lost(run, lost))
      return nil
    }

    // If there is no result, the attempt was cancelled, because the worker was stopped or the database was unavailable.
    let next = (outcome ?? nil) ?? .leave
    return await settled(AttemptedRun(run: run, disposition: next))
  }

  /// Retries while the database is unavailable. `LeaseKeeper` limits the time.
  private func renew(_ run: TakenJobRun) async throws {
    while true {
      do {
        return try await store.renew(run)
      } catch let error as SyncError {
        guard error.code == .database || error.code == .tryLater else { throw error }
        try await clock.sleep(for: Limits.workerPause)
      }
    }
  }

  /// Records a decision even if the task is cancelled. If this fails, the result stays unsettled.
  private func settled(_ attempted: AttemptedRun) async -> AttemptedRun {
    do {
      try await finishing(clock) { try await settle(attempted) }
      return attempted
    } catch {
      return AttemptedRun(run: attempted.run, disposition: attempted.disposition, isUnsettled: true)
    }
  }

  /// Runs the job and decides about the run. Returns `nil` if the attempt was cancelled before its job was certified.
  private func disposition(of job: ScheduledJob, _ run: TakenJobRun) async -> JobDisposition? {
    let (result, isTimedOut) = await clock.limiting(to: job.timeout) { await runner.run(job, run) }
    guard !Task.isCancelled || result.error == nil && result.isCertified else { return nil }

    let next = try? await store.board(of: [job.description])
    // The search starts at this run's nominal time, so that it finds a firing that became due during the run.
    let untilNext = next.flatMap { board in
      job.schedule.next(after: run.key.nominalAt, in: job.zone).map { Duration(clamping: Double($0) - board.now) }
    }

    return JobDisposition(result, of: run, job, isTimedOut: isTimedOut, untilNext: untilNext)
  }

  /// Records a decision. Only reports it if another worker has taken over the run.
  private func settle(_ attempted: AttemptedRun) async throws {
    do {
      switch attempted.disposition {
      case .end(let ending):
        try await store.end(attempted.run, ending)
        observer(.ended(attempted.run, ending))
      case .release(let pause, let error, let isFailure):
        try await store.release(attempted.run, after: pause, error: error, isFailure: isFailure)
        observer(.released(attempted.run, after: pause, error: error))
      }
    } catch let lost as JobRunLost {
      observer(.lost(attempted.run, lost))
    }
  }
}
