import SyncCore
import SyncEngine

/// Checks the invariants with the records of the upstream and the database, not with the engine's report.
/// The bounds repeat the documented numbers, because the engine's own limits could change unnoticed.
struct Checks {
  private static let attempts = 4
  private static let freeRetries = 20
  private static let requestsPerRetry = 10
  private static let pagesPerCommit = 32

  private let simulation: Simulation
  private let world: World
  private let upstream: VirtualUpstream
  private let database: VirtualDatabase

  init(_ simulation: Simulation) {
    self.simulation = simulation
    world = simulation.world
    upstream = simulation.upstream
    database = simulation.database
  }

  func all() {
    checkWriters()
    checkRows()
    for walk in database.walks { checkPages(walk) }
    for run in database.runs { checkEnding(run) }
    checkRates()
    for number in simulation.runs.indices { checkRequests(number) }
    for walk in database.walks { checkRequests(walk) }
    for list in upstream.lists.indices { checkResumption(list) }
  }

  private func checkRows() {
    var rows: [[Int64: Int]] = Array(repeating: [:], count: upstream.lists.count)
    var requested: [[Int64: Int64]] = Array(repeating: [:], count: upstream.lists.count)
    for write in database.writes where write.kind == .commit && !write.isForgotten {
      // A stored end of a list has no rows to check.
      guard let page = write.page, page.endedBy == nil else { continue }
      if Set(write.rows.map(\.key)).count != write.rows.count {
        world.violate(.uniqueKeys, "page \(page.number) writes a key twice")
      }
      if database.clockLag == .zero, write.requestTime > write.databaseTime {
        world.violate(.rows, "page \(page.number) was requested after it was written")
      }
      for (key, version) in write.rows where rows[write.list][key] != version {
        let stored = requested[write.list][key] ?? 0
        // After the database's clock was set back, a stored row can have a later request time. The store then keeps the
        // stored row.
        if database.clockLag > .zero, write.requestTime < stored, stored <= write.databaseTime { continue }
        rows[write.list][key] = version
        requested[write.list][key] = write.requestTime
      }
      let answer = upstream.answers.last {
        $0.arrival.process == write.process && $0.arrival.list == write.list && $0.arrival.page == page.page
          && $0.arrival.sentAt <= write.requestedAt && $0.isUseful
      }
      checkContent(write, page, answer)
    }
    if rows != database.rows { world.violate(.rows, "the rows are not what was read last") }
  }

  private func checkContent(_ write: VirtualDatabase.Write, _ page: StoredPage, _ answer: VirtualUpstream.Answer?) {
    let list = upstream.lists[write.list]
    guard let keys = page.keys else {
      if !write.rows.isEmpty { world.violate(.rows, "the hole \(page.number) has rows") }
      return
    }
    guard let answer else {
      return world.violate(.rows, "process \(write.process) commits page \(page.number), which was never served to it")
    }
    if keys != answer.entries.map(\.key).filter({ list.rejected[$0] != false }) {
      world.violate(.rows, "page \(page.number) is stored with keys that were not served")
    }
    var served: [Int64: Int] = [:]
    for entry in answer.entries where list.rejected[entry.key] == nil { served[entry.key] = entry.version }
    if served != Dictionary(write.rows.map { ($0.key, $0.version) }, uniquingKeysWith: { $1 }) {
      world.violate(.rows, "the rows of page \(page.number) are not what was served last")
    }
  }

  func committed(_ page: StoredPage, _ list: Int) {
    for key in page.keys ?? [] where upstream.lists[list].rejected[key] == nil && database.rows[list][key] == nil {
      world.violate(.cursor, "page \(page.number) is recorded, its row \(key) is not there")
    }
  }

  private func checkPages(_ walk: VirtualDatabase.WalkRow) {
    if walk.pages.map(\.number) != Array(0..<walk.pages.count).map({ $0 + 1 }) {
      world.violate(.cursor, "walk \(walk.id) has the pages \(walk.pages.map(\.number))")
    }
    let list = upstream.lists[walk.list]
    for page in walk.pages {
      for key in page.keys ?? [] where list.rejected[key] == nil && database.rows[walk.list][key] == nil {
        world.violate(.cursor, "page \(page.number) of walk \(walk.id) is recorded, its row \(key) is not there")
      }
    }
    let state = database.states[walk.list]
    if state.walkID == walk.id, state.cursor != walk.pages.last?.number {
      world.violate(.cursor, "the cursor is \(String(describing: state.cursor)), not the last page of its walk")
    }
  }

  private func checkWriters() {
    var writers: [Int: [Int64: Int]] = [:]
    for write in database.writes where !write.isForgotten {
      if write.generation != write.leaseGeneration {
        world.violate(
          .oneWriter,
          "process \(write.process) writes with generation \(write.generation), "
            + "the lease has \(write.leaseGeneration)")
      }
      let writer = writers[write.list, default: [:]][write.generation]
      if let writer, writer != write.process {
        world.violate(.oneWriter, "generation \(write.generation) has two writers")
      }
      writers[write.list, default: [:]][write.generation] = write.process
    }
  }

  private func checkEnding(_ run: VirtualDatabase.RunRow) {
    guard let ending = run.ending, let walk = database.walks.first(where: { $0.id == run.walkID }) else { return }
    let list = upstream.lists[run.list]
    let seen = Set(walk.pages.flatMap { $0.keys ?? [] })
    // A page that was read once and then failed is not a hole.
    let read = Set(walk.pages.filter { $0.keys != nil }.map(\.page))
    let holes = walk.pages.filter { $0.keys == nil && !read.contains($0.page) }
    if ending.status == .complete, seen != list.distinctKeys {
      world.violate(.complete, "run \(run.id) says complete and misses \(list.distinctKeys.subtracting(seen))")
    }
    if ending.publishes {
      if !holes.isEmpty { world.violate(.publication, "run \(run.id) publishes a walk with the holes \(holes)") }
      if seen != list.readableKeys {
        world.violate(.publication, "run \(run.id) publishes without \(list.readableKeys.subtracting(seen))")
      }
    }
    if ending.status == .complete || ending.publishes { checkFreshness(run, walk, list) }
  }

  private func checkFreshness(_ run: VirtualDatabase.RunRow, _ walk: VirtualDatabase.WalkRow, _ list: VirtualList) {
    for write in database.writes
    where write.kind == .commit && write.list == run.list && write.time >= walk.startedAt && !write.isForgotten {
      for (key, version) in write.rows where version < list.version(of: key, at: walk.startedAt) {
        world.violate(.rows, "run \(run.id) wrote version \(version) of \(key), older than its walk")
      }
    }
  }

  private func checkRates() {
    if simulation.budget.isShared {
      checkWindows(upstream.arrivals.map(\.time))
    } else {
      for process in simulation.processes {
        checkWindows(upstream.arrivals.filter { $0.process == process.id }.map(\.time))
      }
    }
    for arrival in upstream.arrivals {
      for order in upstream.orders
      where order.process == arrival.process && order.toldAt <= arrival.sentAt && arrival.sentAt < order.until {
        world.violate(
          .rate,
          "process \(arrival.process) was told at \(order.toldAt.inSeconds) s to be silent until "
            + "\(order.until.inSeconds) s and asks at \(arrival.sentAt.inSeconds) s")
      }
      // At `heardAt`, the process knew all earlier pauses. The tolerance of 1 ms allows for rounding.
      for pause in simulation.budget.pauses
      where pause.from < arrival.heardAt && arrival.sentAt >= pause.from
        && arrival.sentAt < pause.until - .milliseconds(1)
      {
        world.violate(
          .rate,
          "process \(arrival.process) could know of the pause from \(pause.from.inSeconds) s to "
            + "\(pause.until.inSeconds) s and asks at \(arrival.sentAt.inSeconds) s")
      }
    }
  }

  private func checkWindows(_ times: [Duration]) {
    for window in simulation.budget.windows where times.count > window.requests {
      for last in window.requests..<times.count where times[last] - times[last - window.requests] < window.interval {
        let span = times[last] - times[last - window.requests]
        world.violate(
          .rate, "\(window.requests + 1) requests within \(span.inSeconds) s before \(times[last].inSeconds) s")
      }
    }
  }

  private func checkRequests(_ number: Int) {
    let run = simulation.runs[number]
    var inARow = 0
    var last = 0
    for arrival in upstream.arrivals where arrival.run == number {
      inARow = arrival.page == last ? inARow + 1 : 1
      last = arrival.page
      if inARow > Self.attempts {
        world.violate(.bounds, "process \(run.process.id) asks \(inARow) times in a row for page \(last)")
      }
      checkLease(arrival, run)
    }
    checkBreaker(number)
    guard let refusal = upstream.refusals[number] else { return }
    for arrival in upstream.arrivals where arrival.run == number && arrival.sentAt >= refusal {
      world.violate(.bounds, "process \(run.process.id) sends requests after it was refused")
    }
  }

  /// The breaker opens after five consecutive pages whose attempts all failed. A minute after each opening, the breaker
  /// allows one request. After the third opening, the breaker allows no request.
  private func checkBreaker(_ number: Int) {
    var (attempts, failures, openings) = (0, 0, 0)
    var isOpen = false
    var last: VirtualUpstream.Arrival?
    for answer in upstream.answers where answer.arrival.run == number {
      let arrival = answer.arrival
      if isOpen, openings == 3 || arrival.sentAt - (last?.time ?? .zero) < .seconds(60) {
        world.violate(
          .bounds, "process \(arrival.process) asks at \(arrival.sentAt.inSeconds) s while the breaker is open")
      }
      attempts = arrival.page == last?.page ? attempts + 1 : 1
      last = arrival
      if answer.isUseful {
        attempts = 0
        failures = 0
        isOpen = false
      } else if isOpen {
        openings += 1
      } else if attempts == Self.attempts {
        attempts = 0
        failures = failures + 1
        isOpen = failures == 5
        openings += isOpen ? 1 : 0
      }
    }
    if openings > 0 { world.cover(.breakerOpened) }
  }

  private func checkResumption(_ list: Int) {
    let runs = database.runs.filter { $0.list == list }
    for (run, next) in zip(runs, runs.dropFirst()) where !next.isFresh && run.walkID != next.walkID {
      let startedAt = database.walks.first { $0.id == run.walkID }?.startedAt ?? .zero
      let isOver = run.ending.map { ![.maxPages, .interrupted, .failed].contains($0.certificate?.endedBy) } ?? false
      if !isOver, next.openedAt - startedAt < .seconds(6 * 3600) - database.clockLag {
        world.violate(.resumption, "run \(next.id) starts from scratch instead of resuming walk \(run.walkID)")
      }
    }
  }

  private func checkLease(_ arrival: VirtualUpstream.Arrival, _ run: Simulation.Run) {
    guard !run.process.wasFrozen else { return }
    let renewedAt = database.writes.last {
      $0.process == arrival.process && $0.list == arrival.list && $0.time <= arrival.sentAt
    }?.time
    if renewedAt.map({ arrival.sentAt - $0 > database.leaseTTL }) ?? true {
      world.violate(
        .oneWriter,
        "process \(arrival.process) asks at \(arrival.sentAt.inSeconds) s, its lease is from "
          + "\(renewedAt?.inSeconds ?? "never") s")
    }
  }

  /// Checks the number of answers. A run that is cut short loses at most the pages that it was writing or fetching.
  private func checkRequests(_ walk: VirtualDatabase.WalkRow) {
    // After a failover, a run requests the lost pages again, so the number has no bound.
    guard database.forgot.isEmpty else { return }
    let runs = database.runs.filter { $0.walkID == walk.id }
    let all = upstream.answers.filter { answer in
      answer.arrival.list == walk.list && runs.contains { $0.process == answer.arrival.process }
    }
    let answers = all.count { $0.isUseful }
    // If a page fails, the run can request one page more than the run stores.
    let ends = answers == all.count ? 1 : 1 + runs.count
    let cutShort = runs.count { $0.ending.map { $0.error != nil || $0.status == .interrupted } ?? true }
    if answers > walk.pages.count + ends + Self.pagesPerCommit * cutShort {
      world.violate(
        .bounds, "walk \(walk.id) took \(answers) answers for \(walk.pages.count) pages in \(runs.count) runs")
    }
  }

  func ended(_ run: Simulation.Run, _ number: Int) {
    let sent = upstream.sent[number] ?? 0
    switch run.outcome {
    case .report(let report):
      checkText(run.messages + [report.error?.description ?? ""])
      checkReport(report, run)
      cover(report, run)
      let counters = report.counters
      // A failed or interrupted run does not count the requests for a prefetched page. The last request that the run
      // counted was possibly never sent.
      let isWhole = report.status != .failed && report.status != .interrupted
      let (fewer, more) = isWhole ? (0, 0) : (1, Self.attempts)
      if !(counters.requests - fewer...counters.requests + more).contains(sent) {
        world.violate(.bounds, "\(sent) requests were sent and \(counters.requests) counted")
      }
      if counters.retries > max(Self.freeRetries, sent / Self.requestsPerRetry) {
        world.violate(.bounds, "\(counters.retries) retries in \(sent) requests")
      }
    case .thrown(let error):
      checkText(run.messages + ["\(error)"])
      if run.finishedEvents > 0 { world.violate(.errors, "a run was reported as finished and then threw \(error)") }
      if let error = error as? SyncError {
        checkBlame(error, run)
      } else if !(error is CancellationError && run.process.isTerminated) {
        world.violate(.errors, "a run threw \(error)")
      }
    case nil: break
    }
  }

  private func checkReport(_ report: RunReport, _ run: Simulation.Run) {
    if run.finishedEvents != 1 { world.violate(.errors, "a run finished \(run.finishedEvents) times") }
    if (report.status == .failed) != (report.error != nil) {
      world.violate(.errors, "a run ended \(report.status) with the error \(String(describing: report.error))")
    }
    if report.status == .running { world.violate(.errors, "a run ended and is still running") }
    if report.status == .interrupted, !run.process.isTerminated {
      world.violate(.errors, "a run was interrupted without a cause")
    }
    let row = database.runs.first { "\($0.id)" == report.id }
    // A failover can have undone the row of the run.
    let isForgotten = database.forgot.contains { $0 >= run.startedAt }
    if row?.status != report.status, !isForgotten {
      world.violate(.errors, "run \(report.id) ended \(report.status), the ledger says \(String(describing: row))")
    }
    if let error = report.error { checkBlame(error, run) }
  }

  private func cover(_ report: RunReport, _ run: Simulation.Run) {
    let row = database.runs.first { "\($0.id)" == report.id }
    if let row, row.resumedPages > 0, report.counters.requests == 0, report.error == nil { world.cover(.resumedAtEnd) }
    if report.error?.code == .tryLater, report.counters.retries >= Self.freeRetries { world.cover(.retriesSpent) }
    let breakerTime = Limits.breakerPause * (Limits.breakerOpenings - 1)
    if report.error?.code == .upstream, world.now - run.startedAt > breakerTime, report.counters.pages > 0 {
      world.cover(.upstreamGivenUp)
    }
  }

  private func checkBlame(_ error: SyncError, _ run: Simulation.Run) {
    let process = run.process.id
    let isFitting =
      switch error.code {
      case .upstream: upstream.answers.contains { $0.arrival.process == process && !$0.isUseful }
      case .database: database.failed.contains(process)
      case .leaseHeld: database.refused.contains(process)
      case .tryLater:
        run.process.wasFrozen || database.fenced.contains(process) || database.delayed.contains(process)
          || upstream.orders.contains { $0.until - $0.toldAt > .seconds(60) }
          || (upstream.sent[run.process.run] ?? 0) > Self.freeRetries
      default: false
      }
    if !isFitting { world.violate(.errors, "process \(process) ended with exit \(error.code.exitStatus): \(error)") }
  }

  private func checkText(_ texts: [String]) {
    for text in texts where text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      world.violate(.text, text.debugDescription)
    }
  }

  func isWhole(_ list: Int, _ run: Simulation.Run?) -> Bool {
    guard case .report(let report) = run?.outcome, report.status.isEnd else {
      return false
    }
    let truth = upstream.lists[list]
    let stored = truth.distinctKeys.filter { truth.rejected[$0] == nil }
    return Set(database.published[list]?.keys ?? []) == truth.readableKeys
      && stored.allSatisfy { database.rows[list][$0] == truth.versions[$0] ?? 0 }
  }
}
