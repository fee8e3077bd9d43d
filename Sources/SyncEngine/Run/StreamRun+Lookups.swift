import SyncCore

extension StreamRun {
  /// Looks up every item that is in the mirror but not in the walk, which saw no sign that an item is missing. An item
  /// has vanished if its lookup returns 404. Found items are stored and count as seen. If a lookup fails, its item
  /// stays unchanged until the next walk. If a walk without evidence did not see an item of the previous list that its
  /// lookup finds, the walk is inconsistent. Items that returned 404 stay marked, because each has its own proof.
  func lookUpMissing(_ open: OpenWalk, _ progress: inout WalkProgress) async throws -> Bool {
    guard let lookup = stream.lookup else { return true }
    let items = try await store.missing(in: open, stream: stream.description)

    let missing = items.filter { !$0.isControl }
    if !missing.isEmpty, let fault = try await fault(of: lookup, items.filter(\.isControl), &progress) {
      progress.warning = "no missing item was marked as removed: \(fault)"
      return true
    }

    for start in stride(from: 0, to: missing.count, by: Limits.lookupsPerCommit) {
      if progress.tally.isAtLimit { return false }
      progress.tally.settle()
      let batch = missing[start..<min(start + Limits.lookupsPerCommit, missing.count)]
      try await lookUp(batch, with: lookup, in: open, &progress)
    }
    return true
  }

  /// Returns why the lookups prove nothing: a lookup must find an item that the walk met, because a wrong one would
  /// "prove" that each item was removed.
  private func fault(
    of lookup: any ItemLookup, _ controls: [MissingItem], _ progress: inout WalkProgress
  ) async throws -> String? {
    var fault: String?
    for control in controls {
      let fetched = await lookUp(control, with: lookup)
      progress.tally.add(cost: fetched.cost)
      fetched.reservation?.release()
      switch fetched.result {
      case .answer(.found): return nil
      case .answer(.gone(let url)):
        fault = "\(Excerpt.of(url)) does not find an item that the list has; check lookup in the declaration"
      case .exhausted(let error): fault = error.message
      case .stopped(let error as SyncError) where error.isRefusal && !fetched.isOriginDown: fault = error.message
      case .stopped(let error): throw error
      }
    }
    return fault
  }

  /// Looks up the items of one batch and commits the results, usually in one transaction.
  /// - Throws: `CancellationError`, the error of the commit, or the error that stopped the lookups. The results before
  ///   that last error are committed.
  func lookUp(
    _ items: ArraySlice<MissingItem>, with lookup: any ItemLookup, in open: OpenWalk, _ progress: inout WalkProgress
  ) async throws {
    var batch = LookupBatch()
    var failure: (any Error)?
    for item in items where failure == nil {
      let key = item.key
      let fetched = await lookUp(item, with: lookup)

      progress.tally.add(cost: fetched.cost)
      batch.times[key] = fetched.requestedAt
      switch fetched.result {
      case .answer(.gone): batch.gone.append(key)
      case .answer(.found(let entry, build: _)):
        batch.found.append(entry)
        batch.missed += item.isListed ? 1 : 0
      // A failed lookup does not end the loop. If the service stays down, the circuit breaker ends the loop.
      case .exhausted: break
      case .stopped(let error as SyncError) where error.isRefusal && !fetched.isOriginDown: break
      case .stopped(let error): failure = error
      }

      // The document's memory must be released before the next lookup, which may need the same memory.
      if let reservation = fetched.reservation {
        try await commit(&batch, in: open, &progress)
        reservation.release()
      }
    }

    if failure is CancellationError || Task.isCancelled { throw CancellationError() }
    try await commit(&batch, in: open, &progress)
    if let failure { throw failure }
  }

  /// The results of lookups that are not committed yet.
  private struct LookupBatch {
    var gone: [Int64] = []
    var found: [Page.Entry] = []
    /// Found items of the previous list.
    var missed = 0
    var times: [Int64: Duration] = [:]
  }

  /// The result of a lookup. `gone` has the address that answered 404 last.
  enum LookedUp: Sendable {
    case found(Page.Entry, build: String?)
    case gone(at: String)
  }

  /// Returns `.gone` only if all addresses of the item return 404, because a cache can serve an old 404.
  func lookUp(_ item: MissingItem, with lookup: any ItemLookup) async -> Fetcher.Report<LookedUp> {
    let key = item.key
    var request = lookup.request(for: item)
    var untriedAddresses = [request.url] + request.alternatives
    var cost = RunCounters()
    while true {
      let fetched = await fetcher.fetch(request, retries: retries, onWait: onWait) { response, request -> LookedUp in
        switch try lookup.read(response, key: key, to: request) {
        case .gone: .gone(at: request.url)
        case .item(let entry): .found(entry, build: lookup.build(of: response))
        }
      }

      cost += fetched.cost
      guard case .answer(.gone(let url)) = fetched.result else { return fetched.costing(cost) }
      untriedAddresses.removeAll { $0 == url }

      guard let next = untriedAddresses.first else { return fetched.costing(cost) }
      var other = UpstreamRequest(url: next)
      other.additions = request.additions
      request = other
    }
  }

  /// Commits the results in `batch` and empties it. A batch without found or vanished items is not committed.
  private func commit(_ batch: inout LookupBatch, in open: OpenWalk, _ progress: inout WalkProgress) async throws {
    let gone = batch.gone
    let found = batch.found
    let times = batch.times
    let missed = batch.missed
    guard let requestedAt = times.values.min(), !gone.isEmpty || !found.isEmpty else { return }

    batch = LookupBatch()
    let reading = StoredPage(
      number: progress.tally.committed + 1, page: nil, keys: found.compactMap(\.key),
      unreadable: found.count { $0.key == nil }, claim: PageClaim(), missed: missed)
    let commit = PageCommit(of: found, gone: gone, as: reading, requestedAt: requestedAt, times: times)

    let committed = try await self.commit([commit], after: progress.tally.counters, open).get()
    progress.add(committed, missed: missed)
    report(progress.tally, advertised: progress.advertisedPages)
  }
}

extension SyncError {
  /// Whether the service answered with an error of this stream that a retry does not change.
  var isRefusal: Bool { code == .upstream && disposition == .stopStream }

  /// Whether the error is about one of several lists: the service refuses it, or no longer knows a place in it.
  var isAboutList: Bool {
    guard code == .upstream else { return false }
    return switch disposition {
    case .stopStream, .restart, .refused: true
    default: false
    }
  }
}
