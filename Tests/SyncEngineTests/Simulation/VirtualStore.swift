import SyncCore

struct VirtualStore: WalkStore {
  let process: VirtualProcess
  let database: VirtualDatabase
  let lists: [StreamID: Int]
  let onCommit: @Sendable (StoredPage, Int) -> Void

  private var world: World { process.world }

  private func list(_ stream: StreamDescription) -> Int { lists[stream.id] ?? 0 }

  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk {
    let list = list(stream)
    return try await database.transaction("open", for: process) {
      let generation = try takeLease(list)
      for run in database.runs.indices where database.runs[run].list == list {
        if database.runs[run].status == .running { database.runs[run].status = .interrupted }
      }
      let walk = resumeOrStart(list, stream, fresh: fresh)
      let run = database.nextRun()
      let pages = database.walks[walk].pages
      if !pages.isEmpty { world.cover(.resumed) }
      database.runs.append(
        VirtualDatabase.RunRow(
          id: run, list: list, walkID: database.walks[walk].id, generation: generation, process: process.id,
          openedAt: world.now, resumedPages: pages.count, isFresh: fresh))
      database.record(.open, list, generation, process, nil)
      return OpenWalk(
        runID: "\(run)", walkID: database.walks[walk].id, generation: generation, leaseTTL: database.leaseTTL,
        pages: pages, isFull: database.walks[walk].isFull, databaseTime: database.microseconds)
    }
  }

  private func takeLease(_ list: Int) throws -> Int64 {
    let state = database.states[list]
    if let owner = state.owner, owner !== process {
      let isGone = database.isOneMachine && !owner.isAlive
      if state.expiresAt > database.now, !isGone {
        world.cover(.leaseHeld)
        database.refused.insert(process.id)
        throw SyncError(.leaseHeld, "process \(owner.id) has the lease")
      }
      world.cover(isGone ? .leaseTakenFromDead : .leaseExpired)
    }
    database.states[list].owner = process
    database.states[list].generation += 1
    database.states[list].expiresAt = database.now + database.leaseTTL
    return database.states[list].generation
  }

  private func resumeOrStart(_ list: Int, _ stream: StreamDescription, fresh: Bool) -> Int {
    if let place = database.walks.firstIndex(where: { $0.id == database.states[list].walkID }) {
      let walk = database.walks[place]
      let isYoung = walk.startedAt > world.now - Limits.walkResumeAge
      if !fresh, !walk.isFinished, isYoung, walk.pageSize == stream.pageSize { return place }
      database.walks[place].isFinished = true
    }
    let id = Int64(database.walks.count + 1)
    database.walks.append(
      VirtualDatabase.WalkRow(id: id, list: list, pageSize: stream.pageSize, isFull: fresh, startedAt: world.now))
    database.states[list].walkID = id
    database.states[list].cursor = nil
    return database.walks.count - 1
  }

  func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [CachedPage], last: Int?) { ([], nil) }

  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {
    let list = list(stream)
    try await database.transaction("renew", for: process) {
      try passFence(walk, list)
      database.record(.renew, list, walk.generation, process, nil)
    }
  }

  private func passFence(_ walk: OpenWalk, _ list: Int, committing reading: Int? = nil) throws {
    let state = database.states[list]
    let isWhole = reading.map { state.cursor ?? 0 == $0 - 1 } ?? true
    guard database.runs.contains(where: { "\($0.id)" == walk.runID }), isWhole || state.generation != walk.generation
    else {
      world.cover(.lossNoticed)
      database.fenced.insert(process.id)
      throw SyncError(.tryLater, "the database has lost commits of this run")
    }
    guard state.generation == walk.generation else {
      world.cover(.fenced)
      database.fenced.insert(process.id)
      throw SyncError(.tryLater, "another process has taken over the lease")
    }
    database.states[list].expiresAt = database.now + database.leaseTTL
  }

  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    let list = list(stream)
    let first = readings[0].page.number
    if readings.count > 1 { world.cover(.batch) }
    return try await database.transaction("commit \(first)+\(readings.count - 1)", for: process) {
      try passFence(walk, list, committing: first)
      let added = readings.reduce(into: RunCounters()) { $0 += commit($1, of: walk, list) }
      return Committed(readings: readings.count, counters: added)
    }
  }

  /// Must run within a transaction.
  private func commit(_ commit: PageCommit, of walk: OpenWalk, _ list: Int) -> RunCounters {
    var counters = commit.counters
    for row in commit.rows {
      let version = VirtualDatabase.version(row.item)
      let old = database.rows[list][row.item.key]
      let requested = walk.requestTime(commit.requestedAt)
      let stored = database.requested[list][row.item.key]
      // A stored time in the future is ignored, because the database's clock was set back after that write.
      if old == version || stored.map({ $0 > requested && $0 <= database.microseconds }) ?? false {
        counters.unchanged += row.isDuplicate ? 0 : 1
        continue
      }
      database.rows[list][row.item.key] = version
      database.requested[list][row.item.key] = requested
      if row.isDuplicate { continue }
      if old == nil { counters.inserted += 1 } else { counters.updated += 1 }
    }
    database.states[list].cursor = commit.page.number
    if let place = database.walks.firstIndex(where: { $0.id == walk.walkID }) {
      database.walks[place].pages.append(commit.page)
    }
    if commit.page.keys == nil { world.cover(.hole) }
    database.record(.commit, list, walk.generation, process, commit, of: walk)
    onCommit(commit.page, list)
    return counters
  }

  /// The simulation has neither streams of documents nor catalogues, so these functions return nothing.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) -> Set<Int64> { [] }

  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [MissingItem] { [] }

  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport {
    let list = list(stream)
    return try await database.transaction("finish", for: process) {
      try passFence(walk, list)
      let pages = database.walks.first { $0.id == walk.walkID }?.pages ?? []
      var ending = ending
      if ending.publishes ? pages.count != ending.readings : pages.count < ending.readings {
        world.cover(.lossNoticed)
        database.fenced.insert(process.id)
        ending = ending.failed(SyncError(.tryLater, "the database has lost commits of this run"))
      }
      if ending.publishes {
        world.cover(.published)
        var seen: Set<Int64> = []
        database.published[list] = VirtualDatabase.Publication(
          run: Int(walk.runID) ?? 0, walkID: walk.walkID,
          keys: pages.flatMap { $0.keys ?? [] }.filter { seen.insert($0).inserted })
      }
      database.states[list].owner = nil
      if !ending.isResumable {
        if let place = database.walks.firstIndex(where: { $0.id == walk.walkID }) {
          database.walks[place].isFinished = true
        }
        database.states[list].walkID = nil
        database.states[list].cursor = nil
      }
      if let run = database.runs.firstIndex(where: { "\($0.id)" == walk.runID }) {
        database.runs[run].status = ending.status
        database.runs[run].ending = ending
      }
      database.record(.finish, list, walk.generation, process, nil)
      return RunReport(
        id: walk.runID, stream: stream.id, status: ending.status, counters: ending.counters, walBytes: 0,
        duration: .zero, certificate: ending.certificate, error: ending.error)
    }
  }
}
