import SyncCore

extension StreamRun {
  /// Asks the own address of every item that the mirror has and the complete walk has not met. Those that answer 404
  /// have vanished; those that are there after all are stored, and count as seen.
  ///
  /// Committed in batches, so that a run that is stopped goes on where it was. An item whose address cannot be had
  /// stays as it is until the next walk.
  ///
  /// - Throws: `SyncError` `.guarded` if so many are missing that a person has to look first.
  func lookUpMissing(_ open: OpenWalk, _ progress: inout Progress) async throws {
    guard let lookup = stream.lookup else { return }
    let missing = try await store.missing(in: open, stream: stream.description)
    for start in stride(from: 0, to: missing.count, by: Limits.lookupsPerCommit) {
      let batch = missing[start..<min(start + Limits.lookupsPerCommit, missing.count)]
      try await lookUp(batch, with: lookup, open, &progress)
    }
  }

  private func lookUp(
    _ keys: ArraySlice<Int64>, with lookup: any ItemLookup, _ open: OpenWalk, _ progress: inout Progress
  ) async throws {
    var gone: [Int64] = []
    var found: [Page.Entry] = []
    // Of the batch's first request: everything written since then is newer than one of its answers may be.
    var firstAskedAt: Duration?
    for key in keys {
      try Task.checkCancellation()
      let request = lookup.request(key: key)
      let fetched = await fetcher.fetch(request, retries: retries, onRetry: onRetry) {
        try lookup.read($0, key: key, to: request)
      }
      progress.counters.add(fetched.cost)
      firstAskedAt = firstAskedAt ?? fetched.askedAt
      switch fetched.result {
      case .answer(.gone): gone.append(key)
      case .answer(.item(let entry)): found.append(entry)
      case .exhausted(let error): if fetched.isOriginDown { throw error }
      case .stopped(let error): throw error
      }
    }
    guard let askedAt = firstAskedAt, !gone.isEmpty || !found.isEmpty else { return }
    let reading = StoredPage(
      number: progress.readings + 1, page: nil, keys: found.compactMap(\.key),
      unreadable: found.count { $0.key == nil }, claim: PageClaim())
    let commit = PageCommit(of: found, as: reading, known: [], counters: progress.counters) { [clock] in
      clock.now() - askedAt
    }
    progress.counters = try await store.commit(
      LookupCommit(found: commit, gone: gone), of: open, stream: stream.description)
    progress.readings += 1
    report(reading.number, progress)
  }
}
