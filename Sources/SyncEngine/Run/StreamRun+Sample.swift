package import SyncCore

extension StreamRun {
  /// Requests parts of what the stream has published again, whatever is known of them, and has the store compare them.
  ///
  /// - Returns: a report without a certificate; its status is complete if all of it was answered.
  /// - Throws: `SyncError` if the stream could not be opened.
  package func compare(_ parts: MirroredParts) async throws -> RunReport {
    let startedAt = clock.now()
    let open = try await store.open(stream.description, fresh: true)
    observer(.opened(stream.description.id, runID: open.runID, resumedPages: 0))
    var progress = Progress(stream.description, open)
    var status = RunStatus.complete
    var failure: SyncError?
    do {
      switch parts {
      case .pages(let pages): try await compare(pages, open, &progress)
      case .documents(let keys): try await compare(documents: keys, open, &progress)
      }
      if !progress.unanswered.isEmpty { status = .partial }
      if progress.unanswered.count == parts.count { (status, failure) = (.failed, progress.unanswered.last) }
    } catch is CancellationError {
      status = .interrupted
    } catch {
      (status, failure) = (.failed, (error as? SyncError) ?? SyncError(unexpected: error))
    }
    let unanswered = progress.unanswered.last.map { error in
      "\(progress.unanswered.count) of \(parts.count) pages or documents were not compared; the last: \(error.message)"
    }
    let report = RunReport(
      id: open.runID, stream: stream.description.id, status: status, counters: progress.counters, walBytes: 0,
      duration: clock.now() - startedAt, certificate: nil, error: failure,
      warning: status == .partial ? unanswered : nil)
    observer(.finished(report))
    return report
  }

  private func compare(_ pages: [MirroredParts.Page], _ open: OpenWalk, _ progress: inout Progress) async throws {
    for page in pages {
      try Task.checkCancellation()
      let fetched = await fetcher.fetch(page.address, of: stream, retries: retries, onWait: onWait)
      progress.counters.add(fetched.cost)
      switch fetched.result {
      case .answer(let answer): try await compare(page, answer.page, askedAt: fetched.askedAt, open, &progress)
      case .exhausted(let error): progress.unanswered.append(error)
      case .stopped(let error): throw error
      }
      fetched.reservation?.release()
      progress.settled += 1
      observer(
        .page(
          stream.description.id, number: progress.settled, advertised: pages.count, counters: progress.counters))
    }
  }

  /// Item by item: the upstream may have another item at a place by now.
  private func compare(
    _ known: MirroredParts.Page, _ page: Page, askedAt: Duration, _ open: OpenWalk, _ progress: inout Progress
  ) async throws {
    let keys = page.keys.compactMap(\.self)
    progress.readings += 1
    let reading = StoredPage(
      number: progress.readings, page: known.address.page, keys: keys, unreadable: page.keys.count - keys.count,
      claim: page.claim)
    let commit = PageCommit(of: page.entries, as: reading, known: progress.had, requestedAt: askedAt)
    progress.counters += try await self.commit([commit], after: progress.counters, open).get().counters
    progress.had.formUnion(keys)
    // In the order of ids nothing moves past others: an item that was between two of them, and is not, was removed.
    guard case .catalogue = stream.description.method, let lookup = stream.lookup, reading.unreadable == 0,
      let first = keys.min(), let last = keys.max()
    else { return }
    let missing = known.keys.filter { (first...last).contains($0) && !progress.had.contains($0) }
    try await lookUp(missing[...], with: lookup, open, &progress)
  }

  private func compare(documents keys: [Int64], _ open: OpenWalk, _ progress: inout Progress) async throws {
    guard let lookup = stream.lookup else { return }
    for start in stride(from: 0, to: keys.count, by: Limits.lookupsPerCommit) {
      let end = min(start + Limits.lookupsPerCommit, keys.count)
      try await lookUp(keys[start..<end], with: lookup, open, &progress)
      observer(
        .documents(stream.description.id, had: end, of: keys.count, counters: progress.counters))
    }
  }
}
