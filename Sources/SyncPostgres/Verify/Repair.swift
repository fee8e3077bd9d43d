import LibPQ
package import SyncCore

/// Derives rows again from valid documents. Marks other documents, so that the next run fetches them. Holds all leases
/// of the source meanwhile.
package struct Repair: Sendable {
  private let database: Database
  private let source: SourceID
  private let mappings: [any DocumentMapping]
  private let ttl: Duration
  private let owner = LeaseOwner.current()

  /// Creates the repair of a source. Takes no lease yet.
  /// - Parameters:
  ///   - mappings: The mappings of the verification that made the plan.
  ///   - ttl: The TTL of the leases that the repair takes. It also limits each transaction.
  package init(_ database: Database, source: SourceID, _ mappings: [any DocumentMapping], ttl: Duration) {
    self.database = database
    self.source = source
    self.mappings = mappings
    self.ttl = ttl
  }

  /// The number of documents derived again, the number of items that were `noted` so that the next run reads them
  /// again, and the documents refused in the derivation.
  package struct Tally: Sendable, Equatable {
    package var derived = 0
    package var noted = 0
    package var refused: [RejectedItem] = []

    package init() {}
  }

  /// Repairs what the plan lists, under the leases of all streams of the source. Does nothing for an empty plan.
  /// - Throws: `SyncError` `.leaseHeld`, before any change, if a stream of the source is running. `.tryLater` if a
  ///   lease is lost later; earlier changes then stay.
  package func apply(_ plan: RepairPlan) async throws -> Tally {
    var outcome = Tally()
    guard !plan.isEmpty else { return outcome }
    let leases = try await takeLeases()
    do {
      try await apply(plan, under: leases, &outcome)
      try await release(leases)
    } catch {
      // A separate task releases the leases, because this task may be cancelled.
      try? await Task { try await release(leases) }.value
      throw error
    }
    return outcome
  }

  private func apply(_ plan: RepairPlan, under leases: [Held], _ outcome: inout Tally) async throws {
    let (spaces, published) = try await database.read { [mappings, source] connection in
      (
        try mappings.map { try DocumentSpace($0.sql, connection) },
        Dictionary(
          try ListVerification.published(of: source, connection).map { list in
            (list.list, try list.sql.map { try DocumentSpace($0, connection) })
          }, uniquingKeysWith: { first, _ in first })
      )
    }

    var done: Set<DocumentSpace> = []
    for (mapping, space) in zip(mappings, spaces) where done.insert(space).inserted {
      guard var documents = plan.documents[space] else { continue }
      // Without a known space, a stream is treated as part of every space.
      let streams = leases.map(\.stream).filter { (published[$0].flatMap(\.self) ?? space) == space }

      for keys in documents.derive.subtracting(documents.fetch).sorted().slices() {
        let batch = try await derive(keys, by: mapping, under: leases)
        outcome.derived += batch.derived
        outcome.refused += batch.refused
        documents.fetch.formUnion(batch.damaged)
      }

      for keys in documents.noted.sorted().slices() {
        try await note(keys, as: documents, of: mapping, restarting: streams, under: leases)
        outcome.noted += keys.count
      }
    }

    if plan.publishes {
      try await write(under: leases) { [source] connection in
        _ = try connection.query(QuerySQL.text("forget_lists"), [.text(source.rawValue)])
      }
    }
  }

  private func derive(
    _ keys: [Int64], by mapping: any DocumentMapping, under leases: [Held]
  ) async throws -> DerivedBatch {
    let read = try SourceSQL.text("documents", mapping.sql)
    return try await write(under: leases) { connection in
      let documents = try connection.query(read, [.ints(keys), .texts(mapping.sql.scope)]).map(StoredDocument.init)
      return try DerivedBatch.derive(documents, by: mapping, connection)
    }
  }

  private func note(
    _ keys: [Int64], as documents: RepairPlan.Documents, of mapping: any DocumentMapping,
    restarting streams: [String], under leases: [Held]
  ) async throws {
    let fetched = keys.filter(documents.fetch.contains)
    let removed = keys.filter(documents.remove.contains)
    // If a document is not trusted, its counters are not trusted either.
    let counters =
      SourceSQL.has("note_counters", mapping.sql)
      ? keys.filter { documents.recount.contains($0) || documents.fetch.contains($0) } : []

    try await write(under: leases) { [source] connection in
      if !fetched.isEmpty {
        try connection.query(
          SourceSQL.text("note_documents", mapping.sql),
          [.ints(fetched), .texts(mapping.sql.scope), .int(Int64(mapping.version))]
        ).refuseDropped()
      }
      if !removed.isEmpty {
        _ = try connection.query(SourceSQL.text("prune", mapping.sql), [.ints(removed), .texts(mapping.sql.scope)])
      }
      if !counters.isEmpty {
        try connection.query(
          SourceSQL.text("note_counters", mapping.sql), [.ints(counters), .texts(mapping.sql.scope)]
        ).refuseDropped()
      }
      _ = try connection.query(QuerySQL.text("restart_walks"), [.text(source.rawValue), .texts(streams), .ints(keys)])
    }
  }
}

extension Repair {
  private typealias Held = (stream: String, generation: Int64)

  private func takeLeases() async throws -> [Held] {
    var bounds = TransactionBounds(within: ttl)
    bounds.lock = Limits.leaseLockTimeout
    return try await database.write(bounds: bounds) { [source, owner, ttl] connection in
      try connection.query(QuerySQL.text("streams_of"), [.text(source.rawValue)]).map { row -> Held in
        let stream = try row.text(0) ?? ""
        let (generation, _) = try Lease.take(StreamID(source: source, name: stream), owner: owner, ttl: ttl, connection)
        return (stream, generation)
      }
    }
  }

  private func write<R: Sendable>(
    under leases: [Held], _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await database.write(bounds: TransactionBounds(within: ttl)) { [source, ttl] connection in
      let renewed = try connection.query(
        """
        UPDATE sync.stream_state s SET lease_expires_at = clock_timestamp() + make_interval(secs => $4)
        FROM unnest($2::text[], $3::bigint[]) AS l (stream, generation)
        WHERE s.source = $1 AND s.stream = l.stream AND s.lease_generation = l.generation
        """,
        [
          .text(source.rawValue), .texts(leases.map(\.stream)), .ints(leases.map(\.generation)),
          .double(ttl / .seconds(1)),
        ]
      ).affectedRows

      guard renewed == leases.count else {
        throw SyncError(
          .tryLater, "\(source): another process has taken over a lease; the rest was not repaired",
          hint: "verify again when it has ended")
      }
      return try body(connection)
    }
  }

  private func release(_ leases: [Held]) async throws {
    try await database.write { [source] connection in
      _ = try connection.query(
        """
        UPDATE sync.stream_state s SET lease_owner = NULL, lease_expires_at = NULL
        FROM unnest($2::text[], $3::bigint[]) AS l (stream, generation)
        WHERE s.source = $1 AND s.stream = l.stream AND s.lease_generation = l.generation
        """, [.text(source.rawValue), .texts(leases.map(\.stream)), .ints(leases.map(\.generation))])
    }
  }
}

extension [Int64] {
  fileprivate func slices() -> [[Int64]] {
    stride(from: 0, to: count, by: Limits.documentsPerDerivation).map {
      Array(self[$0..<Swift.min($0 + Limits.documentsPerDerivation, count)])
    }
  }
}
