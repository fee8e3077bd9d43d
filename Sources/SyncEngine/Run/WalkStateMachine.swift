import SyncCore

/// Reads the pages of one walk, as a state machine without I/O. It decides which page is requested next, which pages
/// are committed together, and when and why reading ends.
///
/// The driver carries out the actions that `next()` returns, until `next()` returns `nil`. It then waits until any
/// action has a result, passes the result to `receive(_:)`, and calls `next()` again. At most one request, one commit
/// and one load of cached pages are under way at a time.
///
/// ```
///            the walk, `maxPages`, a cancellation or an error ends reading
///   reading ───────────────────────────────────────────────────────────────▶ draining
///   draining ──▶ ended        as soon as nothing is under way and nothing waits for a commit
/// ```
///
/// | event                | reading                             | draining                 |
/// |----------------------|-------------------------------------|--------------------------|
/// | `fetched`            | use, hold or repeat; error: drain   | only count the cost      |
/// | `committed`          | count; error: drop the queue, drain | the same; the error wins |
/// | `cachedPagesLoaded`  | store; error: drain                 | the first reason stays   |
/// | `cancelled`          | drain instead of the next request   | no effect                |
///
/// A result is only legal after its action. No event is legal after the action `end`.
struct WalkStateMachine: Sendable {
  /// A step for the driver, which passes the result of a request, commit or load to `receive`.
  enum Action: Sendable {
    case fetch(PageRequest)
    /// Commit the readings in one transaction. `after` are the run's counters before the commit.
    case commit([PageCommit], after: RunCounters)
    /// Load the next `Limits.cachedPagesAhead` cached pages after this reading of the last published walk.
    case loadCachedPages(after: Int)
    /// Cancel everything that is under way, because its results cannot be committed. The results must still arrive.
    case cancelTasks
    /// Stop. Nothing is under way. All pages that were read are committed, unless a commit failed.
    case end(Result<Certificate.EndedBy, any Error>)
  }

  /// The result of an action, or the cancellation of the run.
  enum Event: Sendable {
    case fetched(Fetcher.Report<FetchedPage>, PageRequest)
    case committed(Result<Committed, any Error>)
    /// The cached pages, and the last examined reading. `nil` if no reading was left.
    case cachedPagesLoaded(Result<(pages: [CachedPage], last: Int?), any Error>)
    case cancelled
  }

  private enum Phase {
    case reading
    case draining(Result<Certificate.EndedBy, any Error>)
    case ended
  }

  private let stream: any PagedStream
  private var phase = Phase.reading
  private var isFetching = false
  private var isCancelled = false
  private var mustCancelTasks = false

  /// The rules of the list. The walk has received every settled page, also pages that wait for a commit.
  private(set) var walk: any Walk
  private var step: WalkStep
  private var frontier = Frontier<Fetcher.Report<FetchedPage>>()
  private var queue = CommitQueue()
  private var cached: CachedPages
  /// The number of the walk's readings: committed, under way and waiting.
  private var readings: Int
  /// The readings of the list, if the list only has ids. Otherwise empty, so that memory does not grow with the list.
  private var listReadings: [StoredPage] = []

  private(set) var tally: RunTally
  private(set) var warning: String?
  /// `nil` until page 1 was read in this run.
  private(set) var absentPaths: AbsentPaths?

  /// Replays the readings that earlier runs of the walk committed.
  /// - Parameter maxPages: The number of pages that this run can settle. `nil` means no limit.
  init(_ stream: any PagedStream, _ open: OpenWalk, maxPages: Int?) {
    let description = stream.description
    self.stream = stream
    walk = description.walk(continuing: open)
    step = walk.start
    readings = open.readings
    cached = CachedPages(hasBasis: open.basis != nil, reading: open.readings)
    tally = RunTally(committed: open.readings, maxPages: maxPages)
    for page in open.pages {
      step = walk.replay(page)
      note(page)
    }
  }

  /// Returns the next action, or `nil` if an event must come first.
  mutating func next() -> Action? {
    if mustCancelTasks {
      mustCancelTasks = false
      return .cancelTasks
    }
    while true {
      if let readings = queue.next() { return .commit(readings, after: tally.counters) }
      guard case .reading = phase else { return end() }
      if let reading = cached.load(at: readings) { return .loadCachedPages(after: reading) }
      guard !isFetching, queue.hasRoom, !cached.isBehind(readings) else { return nil }
      if let request = advance() {
        isFetching = true
        return .fetch(request)
      }
    }
  }

  /// Passes the result of an action, or a cancellation of the run. It is illegal after the action `end`.
  mutating func receive(_ event: Event) {
    switch event {
    case .fetched(let fetched, let request): receive(fetched, to: request)
    case .committed(.success(let committed)): receive(committed)
    case .committed(.failure(let error)):
      queue.drop()
      mustCancelTasks = true
      phase = .draining(.failure(error))
    case .cachedPagesLoaded(.success(let loaded)): cached.loaded(loaded.pages, last: loaded.last, at: readings)
    case .cachedPagesLoaded(.failure(let error)):
      cached.failed()
      drain(.failure(error))
    case .cancelled: isCancelled = true
    }
  }

  /// The keys of the list that is published. Only for a list that only has ids.
  var listed: Set<Int64> {
    let published = walk.publishedReadings ?? 0..<Int.max
    return Set(listReadings.lazy.filter { published.contains($0.number) }.compactMap(\.keys).joined())
  }
}

// MARK: Requests

extension WalkStateMachine {
  /// Returns the next request. Returns `nil` if the walk ended, or if it used a page that had been fetched ahead.
  private mutating func advance() -> PageRequest? {
    guard case .fetch(let page) = step, !tally.isAtLimit, !isCancelled else {
      drain(endOfReading)
      return nil
    }
    // While a walk reads pages again, it has no next address. A page from the first reading must not be used.
    if walk.address(1, behind: page) == nil { frontier = Frontier() }

    switch frontier.turn(at: page) {
    case .use(let held):
      do {
        try take(held, of: page)
      } catch {
        drain(.failure(error))
      }
      return nil
    case .ask(let count):
      let requested = walk.address(count, behind: page) ?? page
      return PageRequest(position: WalkPosition(page: page), page: requested, cached: cachedVersion(of: requested))
    }
  }

  /// The first reason that applies. A walk that has reached its end is complete even if the run was cancelled since.
  private var endOfReading: Result<Certificate.EndedBy, any Error> {
    if case .end(let reason) = step { return .success(reason) }
    if tally.isAtLimit { return .success(.maxPages) }
    return .failure(CancellationError())
  }

  /// Returns the stored version of a page for a conditional request. `nil` if this walk can have changed one of its
  /// items.
  private mutating func cachedVersion(of page: PageAddress) -> CachedPage? {
    let walk = walk
    let isCatalogue = if case .catalogue = stream.description.method { true } else { false }
    return cached.take(page, mayWrite: queue.mayWrite, overlaps: { isCatalogue && walk.hasSeen($0) })
  }

  /// Leaves the state `reading`. The first reason stays.
  private mutating func drain(_ result: Result<Certificate.EndedBy, any Error>) {
    guard case .reading = phase else { return }
    phase = .draining(result)
  }

  /// Ends the state `draining` if nothing is under way. Returns `nil` if the driver must wait.
  private mutating func end() -> Action? {
    guard case .draining(let result) = phase, !isFetching, !queue.isCommitting, !cached.isLoading else { return nil }
    phase = .ended
    return .end(result)
  }
}

// MARK: Results

extension WalkStateMachine {
  private mutating func receive(_ fetched: Fetcher.Report<FetchedPage>, to request: PageRequest) {
    isFetching = false
    tally.add(cost: fetched.cost)
    guard case .reading = phase else { return }
    do {
      if try isSettled(fetched, request) { try take(fetched, of: request.page) }
    } catch {
      drain(.failure(error))
    }
  }

  /// Whether the walk receives the result of a request now. If not, the page is requested again, or its answer is held
  /// until the walk arrives at the page.
  /// - Throws: The error that ends the run.
  private mutating func isSettled(
    _ fetched: Fetcher.Report<FetchedPage>, _ request: PageRequest
  ) throws -> Bool {
    let page = request.page
    let position = request.position.page
    let isPastEnd = page == position && walk.isPastEnd(page)
    switch fetched.result {
    // After the last claimed item, any answer without items ends the list, also an answer that names an error.
    case .stopped(let error as SyncError) where isPastEnd && error.isRefusal: return true
    case .stopped(let error as SyncError)
    where page == position && walk.continuesAfterRefusal && error.isAboutList:
      warning = warning ?? error.message
      return true
    // The refusal of a list that was only requested because an earlier page failed.
    case .stopped(let error as SyncError)
    where page != position && walk.continuesAfterRefusal && error.isAboutList:
      return frontier.failed(page, position: position, isOriginDown: false)
    case .stopped(let error): throw error
    case .answer:
      tally.noteAnswer()
      let isNeededNow = frontier.answered(fetched, page: page, position: position) != nil
      // A held page releases its reserved memory, because the page at `position` may need it.
      if !isNeededNow { fetched.reservation?.release() }
      return isNeededNow
    case .exhausted where isPastEnd: return true
    case .exhausted(let error):
      // If page 1 fails or no request got an answer, the run ends, and the next scheduled run tries again.
      let isFirstPage = readings == 0 && page == position && !walk.continuesAfterRefusal
      if isFirstPage || (fetched.isOriginDown && !tally.hasAnswer) { throw error }
      // The page is requested again until the retries are used up or the origin is given up.
      guard walk.hasHoles else { return false }
      // If no later page can be requested, the failed page is a hole, unless the service is down.
      let isAlone = walk.address(1, behind: position) == nil && !fetched.isOriginDown
      let isHole = frontier.failed(page, position: position, isOriginDown: fetched.isOriginDown) || isAlone
      if isHole, walk.continuesAfterRefusal { warning = warning ?? error.message }
      return isHole
    }
  }

  /// Passes a page, or a hole, to the walk and queues its reading.
  /// - Throws: `SyncError` if the page shows that the list cannot be walked.
  private mutating func take(_ fetched: Fetcher.Report<FetchedPage>, of page: PageAddress) throws(SyncError) {
    noteAbsentPaths(fetched.answer)
    let received = try receive(fetched, of: page)
    step = received.step
    tally.settle()
    let isCapped =
      step == .end(.pageCap) || received.commit?.page.list?.ending?.certificate.endedBy == .pageCap
    if case .refused(let error) = fetched.answer?.page, isCapped { warning = error.message }
    warning = warning ?? fetched.answer?.page.claim.remark

    guard var commit = received.commit else {
      fetched.reservation?.release()
      return
    }
    readings += 1
    if stream.description.method.isOfDocuments { commit.build = fetched.answer?.build ?? stream.description.build }
    note(commit.page)
    queue.add(commit, reservation: fetched.reservation)
  }

  /// Passes a page, or a hole, to the walk. If the page shows that one of several lists cannot be walked, ends this list.
  private mutating func receive(
    _ fetched: Fetcher.Report<FetchedPage>, of page: PageAddress
  ) throws(SyncError) -> (step: WalkStep, commit: PageCommit?) {
    do {
      return try walk.receive(fetched, at: page, request: stream.request(page))
    } catch {
      guard walk.continuesAfterRefusal, error.isAboutList else { throw error }
      warning = warning ?? error.message
      return walk.refuse(fetched, at: page)
    }
  }

  /// Notes the declared paths that a page lacks. A page that the service confirmed was not read and does not count.
  private mutating func noteAbsentPaths(_ answer: FetchedPage?) {
    guard let answer, answer.confirmation == nil else { return }
    if readings == 0 {
      absentPaths = AbsentPaths(of: answer.page.claim)
    } else {
      absentPaths?.read(answer.page.claim)
    }
  }

  /// Keeps a reading of a list that only has ids. Batches of documents are not kept.
  private mutating func note(_ reading: StoredPage) {
    if stream.description.method.isOfDocuments, reading.page != nil { listReadings.append(reading) }
  }

  private mutating func receive(_ committed: Committed) {
    let keys = queue.committed(committed.readings)
    tally.add(committed)
    warning = warning ?? committed.warning
    if committed.counters.hasChanges { cached.wrote(keys) }
  }
}
