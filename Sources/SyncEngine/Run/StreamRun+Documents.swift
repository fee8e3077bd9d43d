import SyncCore

extension StreamRun {
  /// Fetches the documents of listed items, except documents that this walk has fetched or that are within their TTL.
  /// If all attempts for a document fail, it is requested again at the end.
  func fetchDocuments(_ open: OpenWalk, _ progress: inout WalkProgress) async throws -> Bool {
    guard case .documents = stream.description.method, let lookup = stream.lookup else { return true }
    var due = try await dueDocuments(open, &progress)

    var isWhole = true
    if let batches = progress.tally.room {
      // The first factor is bounded, because the product could overflow.
      let room = min(batches, due.count) * Limits.documentsPerCommit
      isWhole = due.count <= room
      due = Array(due.prefix(room))
    }

    let failed = try await fetchDocuments(due, with: lookup, in: open, &progress)
    // If the service has recovered, it answers now. Documents that fail again count as unavailable.
    let unavailable = try await fetchDocuments(failed, with: lookup, in: open, &progress)

    progress.endDocuments(unavailable: unavailable, isWhole: isWhole)
    return isWhole
  }

  /// Returns the sorted keys of the documents that must be requested, and counts the listed and the fresh documents.
  private func dueDocuments(_ open: OpenWalk, _ progress: inout WalkProgress) async throws -> [Int64] {
    let listed = progress.listed
    let missing = listed.subtracting(progress.fetchedDocuments)
    let fresh = open.isFull ? [] : try await store.fresh(missing.sorted(), in: open, stream: stream.description)
    progress.tally.add(fresh: fresh.count)
    progress.expectedDocuments = listed.count - fresh.count
    return missing.subtracting(fresh).sorted()
  }

  /// The result of a task: a request for a document, or the commit of a batch.
  private enum DocumentEvent: Sendable {
    case fetched(key: Int64, Fetcher.Report<LookedUp>)
    case committed(Result<Committed, any Error>)
  }

  /// While one batch is committed, only one more batch is fetched, so that a crash loses little.
  private func fetchDocuments(
    _ keys: [Int64], with lookup: any ItemLookup, in open: OpenWalk, _ progress: inout WalkProgress
  ) async throws -> [Int64] {
    var failed: [Int64] = []
    var batch = DocumentBatch()
    var failure: (any Error)?
    await withTaskGroup(of: DocumentEvent.self) { group in
      var rest = keys[...]
      var requests = 0
      var underWay: DocumentBatch?
      while true {
        if failure == nil, underWay == nil, batch.isFull, let commit = commit(of: batch, progress) {
          let counters = progress.tally.counters
          group.addTask { .committed(await self.commit([commit], after: counters, open)) }
          underWay = batch
          batch = DocumentBatch()
        }

        while failure == nil, requests < concurrency, !batch.isFull, let key = rest.popFirst() {
          requests += 1
          group.addTask { .fetched(key: key, await lookUp(MissingItem(key: key), with: lookup)) }
        }

        if failure != nil, underWay == nil { group.cancelAll() }

        // The loop waits for all sent requests even after a failure, because their cost must be counted.
        guard let event = await group.next() else { break }
        switch event {
        case .fetched(let key, let fetched):
          requests -= 1
          do {
            if try settle(fetched, of: key, in: &batch, &progress) { failed.append(key) }
          } catch {
            failure = failure ?? error
          }
        case .committed(.success(let committed)):
          if let batch = underWay { note(committed, of: batch, &progress) }
          underWay = nil
        case .committed(.failure(let error)):
          failure = error
          underWay = nil
        }
      }
    }

    if failure is CancellationError || Task.isCancelled { throw CancellationError() }
    // If the service failed, the documents that arrived are committed below. Other errors are thrown immediately.
    if (failure as? SyncError).map({ $0.code != .upstream && $0.code != .tryLater }) ?? false, let failure {
      throw failure
    }

    if let last = commit(of: batch, progress) {
      note(try await commit([last], after: progress.tally.counters, open).get(), of: batch, &progress)
    }

    if let failure { throw failure }
    return failed
  }

  /// Adds the result of a request to the batch.
  /// - Returns: Whether all attempts failed, so that the document is requested again later.
  /// - Throws: The error that ends the stage.
  private func settle(
    _ fetched: Fetcher.Report<LookedUp>, of key: Int64, in batch: inout DocumentBatch, _ progress: inout WalkProgress
  ) throws -> Bool {
    progress.tally.add(cost: fetched.cost)
    switch fetched.result {
    case .answer(.found(let entry, let build)):
      batch.add(
        entry, of: key, build: build ?? stream.description.build, requestedAt: fetched.requestedAt,
        reservation: fetched.reservation)
    case .answer(.gone):
      batch.add(
        .refused(key, "the list names it, but its own address answers 404"), of: key, build: nil,
        requestedAt: fetched.requestedAt)
    case .stopped(let error as SyncError) where error.isRefusal && !fetched.isOriginDown:
      batch.add(.refused(key, error.message), of: key, build: nil, requestedAt: fetched.requestedAt)
    case .stopped(let error):
      throw error
    case .exhausted(let error):
      // If the service has not answered at all, the run ends and the next scheduled run tries again.
      if fetched.isOriginDown, !progress.tally.hasAnswer { throw error }
      return true
    }
    progress.tally.noteAnswer()
    return false
  }

  /// Returns the reading of a batch, or `nil` for an empty batch.
  private func commit(of batch: DocumentBatch, _ progress: WalkProgress) -> PageCommit? {
    guard let requestedAt = batch.requestedAt else { return nil }
    let reading = StoredPage(
      number: progress.tally.committed + 1, page: nil, keys: batch.keys, unreadable: 0, claim: PageClaim())
    var commit = PageCommit(of: batch.entries, as: reading, requestedAt: requestedAt, times: batch.times)
    commit.build = batch.build
    return commit
  }

  /// Counts a committed batch, reports the progress and releases the memory of the batch's documents.
  private func note(_ committed: Committed, of batch: DocumentBatch, _ progress: inout WalkProgress) {
    for reservation in batch.reservations { reservation.release() }
    progress.add(committed, documents: batch.keys)
    observer(
      .documents(
        stream.description.id, fetched: progress.fetchedDocuments.count, of: progress.expectedDocuments,
        counters: progress.tally.counters))
  }
}

/// The documents that are committed in one transaction.
private struct DocumentBatch {
  private(set) var entries: [Page.Entry] = []
  private(set) var times: [Int64: Duration] = [:]
  private var builds: Set<String?> = []
  private(set) var reservations: [ByteReservation] = []
  private var bytes = 0

  var keys: [Int64] { entries.compactMap(\.key) }

  /// The time of the first request of the batch by the engine's clock. `nil` for an empty batch.
  var requestedAt: Duration? { times.values.min() }

  /// A batch with a large document is full, because other requests can wait for the memory that the document reserves.
  var isFull: Bool {
    entries.count >= Limits.documentsPerCommit || bytes >= Limits.documentBytesPerCommit || !reservations.isEmpty
  }

  /// The build of the documents. `nil` if their builds differ or are unknown.
  var build: String? { builds.count == 1 ? builds.first ?? nil : nil }

  /// Adds an entry and takes over the memory that its document reserves.
  /// - Parameter requestedAt: The time of the document's request by the engine's clock.
  mutating func add(
    _ entry: Page.Entry, of key: Int64, build: String?, requestedAt: Duration, reservation: ByteReservation? = nil
  ) {
    builds.insert(build)
    if let reservation { reservations.append(reservation) }
    entries.append(entry)
    if case .item(let item) = entry { bytes += item.document.count }
    times[key] = requestedAt
  }
}

extension Page.Entry {
  /// The rejected entry of a listed item whose document the service does not return.
  fileprivate static func refused(_ key: Int64, _ detail: String) -> Page.Entry {
    .rejected(RejectedItem(key: key, reason: "not_served", detail: detail, excerpt: ""))
  }
}
