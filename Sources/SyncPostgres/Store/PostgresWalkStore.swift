import Foundation
import LibPQ
package import SyncCore

/// The store of walks in the mirror's database. Each transaction takes effect exactly once, even if the connection is
/// lost.
package struct PostgresWalkStore: WalkStore {
  let database: Database
  private let owner: LeaseOwner
  private let options: Options

  /// The rules for the origin, lease and resumption of a command's runs, and the ids that the ledger stores with them.
  package struct Options: Sendable {
    /// Whether a run takes over published rows of another origin, instead of throwing `.configuration`.
    package var adoptsOrigin: Bool
    /// The lease of a run ends after this time without a renewal.
    package var leaseTTL: Duration
    /// The largest age of an unfinished walk that a run resumes, counted from the walk's last page.
    package var resumeAge: Duration
    /// The run of a job that the ledger names; `nil` for a user's command.
    package var job: JobRunKey?
    /// The id that all runs of one command have in the ledger.
    package var invocation: String?

    package init(
      adoptsOrigin: Bool = false, leaseTTL: Duration = Limits.leaseTTL, resumeAge: Duration = Limits.walkResumeAge,
      job: JobRunKey? = nil, invocation: String? = nil
    ) {
      self.job = job
      self.invocation = invocation
      self.adoptsOrigin = adoptsOrigin
      self.leaseTTL = leaseTTL
      self.resumeAge = resumeAge
    }
  }

  /// Creates a store that takes leases in the name of this process. Reads nothing from the database yet.
  package init(_ database: Database, options: Options = Options()) {
    self.database = database
    self.options = options
    owner = LeaseOwner.current()
  }

  /// Takes the lease and starts the run in one transaction.
  ///
  /// If an idle session of an expired holder still locks the lease, ends this session and tries once more.
  /// - Throws: `.configuration` if the stream has published rows of another origin, unless `Options.adoptsOrigin` is
  ///   set. Also `.configuration` if the stream's tables were migrated to another declaration.
  package func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk {
    let runID = UUID().uuidString.lowercased()
    var bounds = TransactionBounds(within: options.leaseTTL, of: runID)
    bounds.lock = Limits.leaseLockTimeout
    do {
      return try await openOnce(stream, as: runID, fresh: fresh, confirming: confirmed, within: bounds)
    } catch let held as SyncError where held.code == .leaseHeld {
      let ended = try await database.endSessions { connection in
        try RunSession.endExpiredHolder(of: stream.id, connection)
      }
      if ended { return try await openOnce(stream, as: runID, fresh: fresh, confirming: confirmed, within: bounds) }
      try? await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
        try Lease.shorten(stream.id, connection)
      }
      throw held
    }
  }

  /// Takes the lease, closes runs that ended without closing themselves, resumes or begins the walk, and adds the run
  /// to the ledger, in one transaction.
  /// - Throws: `.leaseHeld` if another process holds the lease, and the errors of `open`.
  private func openOnce(
    _ stream: StreamDescription, as runID: String, fresh: Bool, confirming confirmed: String?,
    within bounds: TransactionBounds
  ) async throws -> OpenWalk {
    let (open, ended) = try await database.write(
      bounds: bounds, confirm: { result, connection in try Ledger.has(result.open.runID, connection) }
    ) { [owner, options] connection -> (open: OpenWalk, ended: Int) in
      let (generation, state) = try Lease.take(stream, owner: owner, ttl: options.leaseTTL, connection)
      if !options.adoptsOrigin, state.origin != stream.origin || state.provider != stream.provider {
        try Self.refuseOtherOrigin(state, stream, connection)
      }

      try Self.expectReady(stream, connection)
      // Locks of a killed run's session could block this run later.
      let ended = try Ledger.closeAbandonedRuns(of: stream.id, connection)
        .map { try RunSession.endOthers(of: $0, connection) }.reduce(0, +)

      let walk =
        if let confirmed {
          try WalkRecord.reopen(
            Confirmation.walk(of: confirmed, stream: stream.id, connection), state, stream: stream, connection)
        } else {
          try WalkRecord.resumeOrStart(state, stream: stream, fresh: fresh, maximalAge: options.resumeAge, connection)
        }

      let basis = try PublishedWalk.basis(of: walk.id, stream: stream, connection)
      try Ledger.startRun(
        runID, of: stream.id, walkID: walk.id, job: options.job, invocation: options.invocation, connection)
      let open = OpenWalk(
        runID: runID, walkID: walk.id, generation: generation, leaseTTL: options.leaseTTL, pages: walk.pages,
        endedLists: walk.endedLists, isConfirmed: confirmed != nil, basis: fresh ? nil : basis, isFull: walk.isFull,
        repeats: try PublishedWalk.repeats(of: basis, stream: stream, connection),
        databaseTime: try Ledger.databaseTime(connection))

      return (open, ended)
    }
    database.tell(ended: ended)
    return open
  }

  /// The caller holds the stream's lease, so a later change of the tables ends this lease.
  /// - Throws: `SyncError` `.configuration` if the tables now belong to another declaration than the stream.
  private static func expectReady(_ stream: StreamDescription, _ connection: borrowing PGConnection) throws {
    guard let ready = SourceSQL.optional("ready", stream.sql),
      try connection.query(ready, [.texts(stream.sql.scope)]).map({ try $0.bool(0) ?? false }).first == false
    else { return }
    throw SyncError(
      .configuration, "\(stream.id): the table was migrated to another declaration since this program read its own",
      hint: "restart it with the new declaration, or run syncctl migrate with this one")
  }

  /// Returns the pages among the next `limit` readings of the walk's basis that can be requested conditionally, and the
  /// last examined reading. Returns no page and `nil` if the walk has no basis or no reading is left.
  package func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [CachedPage], last: Int?) {
    guard let basis = walk.basis else { return ([], nil) }
    return try await database.read { connection in
      try PublishedWalk.pages(of: basis, after: reading, limit: limit, stream: stream, connection)
    }
  }

  /// Returns those of the keys whose documents were fetched within the TTL. Returns none for streams whose items are
  /// not documents.
  package func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64> {
    guard case .documents(let ttl) = stream.method, !keys.isEmpty else { return [] }
    let absent = try SourceSQL.text("absent", stream.sql)
    return try await database.read { connection in
      try Documents.fresh(keys, ttl: ttl, besides: walk.walkID, stream: stream, absent: absent, connection)
    }
  }

  /// Throws if the stream has published rows of another origin, so that a list never mixes rows of two origins.
  static func refuseOtherOrigin(
    _ state: Lease.StreamState, _ stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws {
    guard try Publication.exists(of: stream.id, connection) else { return }
    throw SyncError(
      .configuration,
      "\(stream.id) was mirrored from \(state.provider) at \(Excerpt.of(state.origin)), "
        + "not from \(stream.provider) at \(stream.origin)",
      hint: "use another database, or take the data over with --adopt-origin")
  }

  /// Extends the lease by its TTL. If the reply is lost, renews the lease again.
  package func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {
    let lease = lease(of: walk, stream)
    // `confirm` returns false, because a second renewal does no harm.
    try await database.write(bounds: bounds(of: walk), confirm: { _, _ in false }) { connection in
      try lease.renew(connection)
    }
  }

  /// Commits the readings, their items and the counters in one transaction.
  ///
  /// If a guard, the database or an object on a table refuses a batch, commits the first reading alone.
  /// - Throws: `.guarded` if a page would lose a column, or if the walk has too many unusable items.
  package func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    do {
      return try await write(PageBatch(readings, of: walk), after: counters, of: walk, stream: stream)
    } catch let error where readings.count > 1 && Self.isAboutContent(error) {
      // The pages that share a commit depend on the speed of the service. So a page that is refused among others is
      // written and judged alone.
      let alone = PageBatch(Array(readings.prefix(1)), of: walk)
      return try await write(alone, after: counters, of: walk, stream: stream)
    }
  }

  /// A reading among others was refused, or needs a warning of its own, so it must be written alone.
  private struct RefusedInBatch: Error {}

  /// Whether a guard, PostgreSQL or an object on a table has refused rows of the batch.
  private static func isAboutContent(_ error: any Error) -> Bool {
    if let error = error as? SyncError { return [.guarded, .configuration].contains(error.code) }
    return error is RefusedInBatch
  }

  /// Writes the batch in one transaction, which takes effect exactly once:
  ///
  /// 1. without locks: compare the items with the stored rows, and judge lost columns;
  /// 2. write changed rows, which locks them;
  /// 3. renew the lease, which fails if another process has taken over the stream (the fence), and judge unusable
  ///    items;
  /// 4. check that the rows are stored, mark vanished items, and bring returned ones back;
  /// 5. add the readings, the quarantined items and the run's counters.
  ///
  /// - Parameter before: The run's counters before the batch.
  /// - Throws: `RefusedInBatch` if PostgreSQL refuses a row of several readings, and the errors of `commit`.
  private func write(
    _ batch: PageBatch, after before: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    let lease = lease(of: walk, stream)
    let readings = try StagedReadings(batch.readings)
    let confirmed = StagedList("confirmed_keys")
    let confirmedKeys = batch.readings.flatMap(\.confirmed)

    return try await database.write(
      bounds: bounds(of: walk),
      staged: batch.items.settings(PageWriter.comparedFields) + [readings.setting, confirmed.holding(confirmedKeys)],
      confirm: { _, connection in
        try lease.isCurrent(connection) && WalkRecord.has(batch.last, walkID: walk.walkID, connection)
      }
    ) { connection in
      let writer = PageWriter(stream: stream)
      let changes = try writer.changes(in: batch.items, connection)
      let warning = try Self.judgeColumns(changes, of: batch, in: walk, with: writer, connection)
      let stored = try Self.store(changes, of: batch, with: writer, connection)

      // `renew` locks the lease, so all large messages come first.
      try lease.renew(cursor: batch.last, readings: batch.readings.count, connection)
      if walk.readings > 0 || before.quarantined > 0 {
        // An earlier page exceeded the limit. That page was committed, so that the quarantine has all its bad items.
        try Self.judgeUnusableItems(before: batch, in: walk, stream: stream, connection)
      }

      let outcome = try writer.outcome(
        of: stored, changes, on: batch.items, rows: batch.rows, counters: batch.counters, connection)

      var added = outcome.counters
      for reading in batch.readings {
        added.vanished += try writer.vanish(
          reading.gone, requestTime: walk.requestTime(reading.requestedAt), connection)
      }

      let rejected = batch.readings.flatMap(\.rejected) + stored.refused
      // Only the last reading of a batch can have bad items.
      let last = walk.requestTime(batch.readings.last?.requestedAt ?? .zero)
      try writer.bringBack([(rejected.compactMap(\.key), last)], connection)
      try writer.bringBack(
        batch.readings.map { ($0.confirmed, walk.requestTime($0.requestedAt)) }, staged: confirmed, connection)

      try WalkRecord.add(
        readings,
        cacheable: batch.readings.filter { reading in
          !reading.rows.contains { outcome.others.contains($0.item.key) }
        }.map(\.page.number), basis: walk.basis, walkID: walk.walkID, connection)
      try Quarantine.add(rejected, stream: stream.id, runID: walk.runID, connection)

      var counters = before
      counters += added
      try Ledger.update(walk.runID, with: counters, connection)
      return Committed(readings: batch.readings.count, counters: added, warning: warning)
    }
  }

  /// Judges the walk before each page, because a page of the batch can be the first with a large total.
  private static func judgeUnusableItems(
    before batch: PageBatch, in walk: OpenWalk, stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws {
    var earlier = UnstoredReadings()
    var isJudged = false
    for reading in batch.readings {
      if !isJudged,
        let refusal = try Publication.refusalOfQuarantined(
          during: walk, stream: stream, unstored: earlier, connection)
      {
        throw refusal
      }

      // More usable items never exceed the limit, only another total can.
      isJudged = true
      earlier.counters += reading.counters
      if let total = reading.page.claim.total, total > earlier.claimedTotal ?? 0 {
        earlier.claimedTotal = total
        isJudged = false
      }
    }
  }

  /// Judges each page alone.
  /// - Returns: A warning if the answer to a question would lose a column.
  /// - Throws: `SyncError` `.guarded` if a page would lose a column; `RefusedInBatch` if a page among others needs a
  ///   warning, because an item that an earlier page of the batch changes counts on each of its pages.
  private static func judgeColumns(
    _ changes: PageWriter.Changes, of batch: PageBatch, in walk: OpenWalk, with writer: PageWriter,
    _ connection: borrowing PGConnection
  ) throws -> String? {
    for reading in batch.readings {
      let items = reading.rows.map(\.item)
      let differences = changes.differences
      if let lost = try writer.refusalOfLostColumns(differences, of: items, in: walk, connection) { throw lost }
      if let warning = try writer.warningOfLostColumns(differences, of: items, in: walk, connection) {
        guard batch.readings.count == 1 else { throw RefusedInBatch() }
        return warning
      }
    }
    return nil
  }

  private static func store(
    _ changes: PageWriter.Changes, of batch: PageBatch, with writer: PageWriter, _ connection: borrowing PGConnection
  ) throws -> PageWriter.Stored {
    let isAlone = batch.readings.count == 1
    do {
      return try writer.store(changes, omitsRefused: isAlone, connection)
    } catch let error as PostgresError where !isAlone && error.isAboutTheData {
      throw RefusedInBatch()
    }
  }

  /// Returns the missing items in a read-only transaction. Writes nothing.
  package func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [MissingItem] {
    try await database.read { connection in try MissingItems.find(in: walk, stream: stream, connection) }
  }

  func lease(of walk: OpenWalk, _ stream: StreamDescription) -> Lease {
    Lease(stream: stream.id, runID: walk.runID, generation: walk.generation, ttl: walk.leaseTTL ?? options.leaseTTL)
  }

  func bounds(of walk: OpenWalk) -> TransactionBounds {
    TransactionBounds(within: walk.leaseTTL ?? options.leaseTTL, of: walk.runID)
  }
}
