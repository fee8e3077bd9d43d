import SyncCore

extension StreamRun {
  private typealias Pages = Frontier<Fetcher.Outcome<FetchedPage>>

  private enum PageEvent: Sendable {
    case fetched(Fetcher.Outcome<FetchedPage>, page: PageAddress, position: PageAddress)
    case committed(Result<Committed, any Error>)
    case known(Result<(pages: [KnownPage], last: Int?), any Error>)
  }

  func walkPages(_ open: OpenWalk, _ progress: inout Progress, maxPages: Int?) async throws -> Certificate.EndedBy {
    try await withThrowingTaskGroup(of: PageEvent.self) { group in
      var frontier = Pages()
      var queue = CommitQueue()
      var isFetching = false
      var end: Result<Certificate.EndedBy, any Error>?
      while true {
        if let batch = queue.next() {
          let counters = progress.counters
          group.addTask { .committed(await commit(batch, after: counters, open)) }
        }
        if end == nil, let reading = progress.known.load(at: progress.readings) {
          group.addTask { .known(await known(after: reading, open)) }
        }
        if end == nil, !isFetching, queue.hasRoom, !progress.known.isBehind(progress.readings) {
          do {
            switch try turn(&progress, &frontier, queue, maxPages: maxPages) {
            case .end(let reason): end = .success(reason)
            case .use(let held, let position): try take(held, of: position, &queue, &progress)
            case .fetch(let page, let position, let known):
              isFetching = true
              group.addTask {
                let fetched = await fetcher.fetch(page, of: stream, known: known, retries: retries, onWait: onWait)
                return .fetched(fetched, page: page, position: position)
              }
            }
          } catch {
            end = .failure(error)
          }
          if !isFetching { continue }
        }
        guard let event = try await group.next() else { break }
        switch event {
        case .fetched(let fetched, let page, let position):
          isFetching = false
          guard end == nil else {
            // The cost of a request is counted even if its answer is not used.
            progress.counters += fetched.cost
            break
          }
          do {
            let settled = try settle(fetched, page: page, at: position, &frontier, &progress)
            if let settled { try take(settled, of: position, &queue, &progress) }
          } catch {
            end = .failure(error)
          }
        case .committed(.success(let committed)):
          let keys = queue.committed(committed.readings)
          progress.counters += committed.counters
          progress.committed += committed.readings
          progress.warning = progress.warning ?? committed.warning
          if committed.counters.hasChanges { progress.known.wrote(keys) }
          if !stream.description.method.isOfDocuments { report(progress.committed, progress) }
        case .committed(.failure(let error)):
          end = .failure(error)
          queue.drop()
          group.cancelAll()
        case .known(.success(let loaded)):
          progress.known.loaded(loaded.pages, last: loaded.last, at: progress.readings)
        case .known(.failure(let error)):
          end = end ?? .failure(error)
        }
      }
      guard let end else { throw CancellationError() }
      return try end.get()
    }
  }

  private enum Turn {
    case end(Certificate.EndedBy)
    case use(Fetcher.Outcome<FetchedPage>, at: PageAddress)
    case fetch(PageAddress, at: PageAddress, KnownPage?)
  }

  private func turn(
    _ progress: inout Progress, _ frontier: inout Pages, _ queue: CommitQueue, maxPages: Int?
  ) throws -> Turn {
    let position: PageAddress
    switch progress.step {
    case .end(let reason): return .end(reason)
    case .fetch(let page): position = page
    }
    if let maxPages, progress.settled >= maxPages { return .end(.maxPages) }
    try Task.checkCancellation()
    // While a walk reads pages again, it has no next address. An answer from the first reading must not be used.
    if progress.walk.address(1, behind: position) == nil { frontier = Frontier() }
    switch frontier.turn(at: position) {
    case .use(let held): return .use(held, at: position)
    case .ask(let count):
      let page = progress.walk.address(count, behind: position) ?? position
      return .fetch(page, at: position, known(page, &progress, queue))
    }
  }

  private func settle(
    _ fetched: Fetcher.Outcome<FetchedPage>, page: PageAddress, at position: PageAddress,
    _ frontier: inout Pages, _ progress: inout Progress
  ) throws -> Fetcher.Outcome<FetchedPage>? {
    progress.counters += fetched.cost
    let isPastEnd = page == position && progress.walk.isPastEnd(page)
    switch fetched.result {
    // After the last claimed item, any answer without items ends the list, also an answer that names an error.
    case .stopped(let error as SyncError) where isPastEnd && error.isRefusal: return fetched
    case .stopped(let error): throw error
    case .answer:
      progress.hasAnswer = true
      let settled = frontier.answered(fetched, page: page, position: position)
      // A held page releases its reserved memory, because the page at `position` may need it.
      if settled == nil { fetched.reservation?.release() }
      return settled
    case .exhausted where isPastEnd: return fetched
    case .exhausted(let error):
      // If page 1 fails or no request got an answer, the run ends, and the next scheduled run tries again.
      if progress.readings == 0 && page == position || (fetched.isOriginDown && !progress.hasAnswer) { throw error }
      // The page is requested again until the retries are used up or the origin is given up.
      guard progress.walk.hasHoles else { return nil }
      // If no later page can be requested, the failed page is a hole, unless the service is down.
      let isAlone = progress.walk.address(1, behind: position) == nil && !fetched.isOriginDown
      let isHole = frontier.failed(page, position: position, isOriginDown: fetched.isOriginDown) || isAlone
      return isHole ? fetched : nil
    }
  }

  private func take(
    _ fetched: Fetcher.Outcome<FetchedPage>, of page: PageAddress, _ queue: inout CommitQueue,
    _ progress: inout Progress
  ) throws {
    if let answer = fetched.answer, answer.confirmation == nil {
      if progress.readings == 0 {
        progress.absence = AbsentPaths(of: answer.page.claim)
      } else {
        progress.absence?.read(answer.page.claim)
      }
    }
    let (step, commit) = try progress.walk.receive(fetched, at: page, request: stream.request(page))
    progress.step = step
    progress.settled += 1
    if case .refused(let error) = fetched.answer?.page, step == .end(.pageCap) { progress.warning = error.message }
    if progress.warning == nil { progress.warning = fetched.answer?.page.claim.remark }
    guard var commit else {
      fetched.reservation?.release()
      return
    }
    progress.readings += 1
    if stream.description.method.isOfDocuments {
      commit.build = fetched.answer?.build ?? stream.description.build
      progress.note(commit.page)
    }
    queue.add(commit, reservation: fetched.reservation)
  }

  private func known(_ page: PageAddress, _ progress: inout Progress, _ queue: CommitQueue) -> KnownPage? {
    let walk = progress.walk
    let isCatalogue = if case .catalogue = stream.description.method { true } else { false }
    return progress.known.take(page, mayWrite: queue.mayWrite, overlaps: { isCatalogue && walk.hasSeen($0) })
  }

  private func known(
    after reading: Int, _ open: OpenWalk
  ) async -> Result<(pages: [KnownPage], last: Int?), any Error> {
    do {
      return .success(
        try await store.known(
          in: open, stream: stream.description, after: reading, limit: Limits.knownPagesAhead))
    } catch {
      return .failure(error)
    }
  }
}
