import SyncCore

extension StreamRun {
  /// Carries out the actions of the state machine and passes it their results, until it ends.
  /// - Returns: The reason for the end, or the error or cancellation that stopped the run.
  func readPages(_ open: OpenWalk, _ machine: inout WalkStateMachine) async -> Result<Certificate.EndedBy, any Error> {
    await withTaskGroup(of: WalkStateMachine.Event.self) { group in
      while true {
        if Task.isCancelled { machine.receive(.cancelled) }
        while let action = machine.next() {
          switch action {
          case .fetch(let request):
            group.addTask { .fetched(await fetch(request), request) }
          case .commit(let readings, let counters):
            group.addTask { .committed(await commit(readings, after: counters, open)) }
          case .loadCachedPages(let reading):
            group.addTask { .cachedPagesLoaded(await loadCachedPages(after: reading, open)) }
          case .cancelTasks:
            group.cancelAll()
          case .end(let result):
            return result
          }
        }

        // Without an action, a task is under way, so the group is never empty here.
        guard let event = await group.next() else { return .failure(CancellationError()) }
        machine.receive(event)
        if case .committed(.success) = event, !stream.description.method.isOfDocuments {
          report(machine.tally, advertised: machine.walk.advertisedPages)
        }
      }
    }
  }

  private func fetch(_ request: PageRequest) async -> Fetcher.Report<FetchedPage> {
    await fetcher.fetch(request.page, of: stream, cached: request.cached, retries: retries, onWait: onWait)
  }

  private func loadCachedPages(
    after reading: Int, _ open: OpenWalk
  ) async -> Result<(pages: [CachedPage], last: Int?), any Error> {
    do {
      return .success(
        try await store.cachedPages(
          in: open, stream: stream.description, after: reading, limit: Limits.cachedPagesAhead))
    } catch {
      return .failure(error)
    }
  }
}
