import Crypto
import LibPQ
import SyncCore

/// Writes the items of one page inside the page's transaction: what differs, and nothing else.
///
/// What others wrote after the page was asked for is newer than the page. It stays, and the item counts as unchanged.
struct PageWriter {
  let stream: StreamDescription
  let sql: SourceSQL
  /// How long ago the page was asked for; read anew for every statement.
  let age: @Sendable () -> Duration

  /// How an item of the page differs from the mirror.
  struct Difference {
    let isNew: Bool
    let isDocument: Bool
    let isVanished: Bool

    /// More than counters have to be written.
    var needsDocument: Bool { isNew || isDocument || isVanished }
  }

  /// - Returns: the counters with one outcome for every row, and the rows that PostgreSQL refused.
  func write(
    _ rows: [PageCommit.Row], counters: RunCounters, _ connection: borrowing PGConnection
  ) throws -> (counters: RunCounters, refused: [RejectedItem]) {
    var counters = counters
    // Sorted, so that two writers of the same items never lock them in opposite orders.
    let items = rows.map(\.item).sorted { $0.key < $1.key }
    let differences = try compare(items, age: age(), connection)
    var documents: [PageItem] = []
    var moved: [PageItem] = []
    for item in items {
      guard let difference = differences[item.key] else { continue }
      if difference.needsDocument { documents.append(item) } else { moved.append(item) }
    }
    let refused =
      try Self.store(documents, connection, writeDocuments) + Self.store(moved, connection, writeCounters)
    let refusedKeys = Set(refused.compactMap(\.key))
    counters.quarantined += refused.count
    for row in rows {
      if refusedKeys.contains(row.item.key) {
        // One item, one outcome: it was counted as a duplicate already.
        counters.duplicates -= row.isDuplicate ? 1 : 0
      } else if !row.isDuplicate {
        counters.count(differences[row.item.key].map { (isNew: $0.isNew, isDocument: $0.isDocument) })
      }
    }
    return (counters, refused)
  }

  /// Whether the mirror has these items, with these hashes, whoever wrote them.
  func holds(_ items: [PageItem], _ connection: borrowing PGConnection) throws -> Bool {
    // As if they were asked for in a hundred years, so that nothing is newer.
    try compare(items, age: .seconds(-100 * 365 * 86_400), connection).isEmpty
  }

  func compare(
    _ items: [PageItem], age: Duration, _ connection: borrowing PGConnection
  ) throws -> [Int64: Difference] {
    let rows = try connection.query(
      sql.compare,
      [
        .ints(items.map(\.key)), .byteas(items.map(\.contentHash)), .ints(items.map(\.counterHash)),
        .texts(stream.sql.scope), .double(age / .seconds(1)),
      ]
    ).map { row in
      (
        try row.int(0) ?? 0,
        Difference(
          isNew: try row.bool(1) ?? false, isDocument: try row.bool(2) ?? false, isVanished: try row.bool(3) ?? false)
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Stores all at once; if PostgreSQL refuses a value, one by one, so that only the bad item is left out.
  static func store(
    _ items: [PageItem], _ connection: borrowing PGConnection,
    _ write: ([PageItem], borrowing PGConnection) throws -> Void
  ) throws -> [RejectedItem] {
    guard !items.isEmpty else { return [] }
    do {
      try connection.savepoint { connection in try write(items, connection) }
      return []
    } catch let error as PostgresError where error.isAboutTheData {
      guard items.count > 1 else { return [RejectedItem(items[0], error)] }
      return try items.flatMap { try store([$0], connection, write) }
    }
  }

  private func writeDocuments(_ items: [PageItem], _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      sql.write,
      [
        .ints(items.map(\.key)), .byteas(items.map(\.contentHash)), .ints(items.map(\.counterHash)),
        .jsonbs(items.map(\.document)), .texts(stream.sql.scope), .double(age() / .seconds(1)), .bool(false),
      ])
  }

  private func writeCounters(_ items: [PageItem], _ connection: borrowing PGConnection) throws {
    guard let counters = sql.counters else { return }
    _ = try connection.query(
      counters,
      [
        .ints(items.map(\.key)), .ints(items.map(\.counterHash)), .jsonbs(items.map(\.counters)),
        .texts(stream.sql.scope), .double(age() / .seconds(1)),
      ])
  }

  /// Marks items as vanished.
  ///
  /// - Returns: how many were marked: not those that somebody has written since they were looked up.
  func vanish(_ keys: [Int64], _ connection: borrowing PGConnection) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    guard case .questionsItem(_, let vanish) = sql.absence else { throw stream.provesNoItemGone }
    let marked = try connection.query(
      vanish, [.ints(keys), .texts(stream.sql.scope), .double(age() / .seconds(1))]
    ).int(row: 0, column: 0)
    return Int(marked ?? 0)
  }

  /// Takes the mark of having vanished from items that were met, though nothing of them was stored.
  func bringBack(_ keys: [Int64], _ connection: borrowing PGConnection) throws {
    guard !keys.isEmpty, let returned = sql.returned else { return }
    _ = try connection.query(returned, [.ints(keys), .texts(stream.sql.scope), .double(age() / .seconds(1))])
  }
}

extension RunCounters {
  mutating func count(_ difference: (isNew: Bool, isDocument: Bool)?) {
    switch difference {
    case nil: unchanged += 1
    case (isNew: true, _)?: inserted += 1
    case (isNew: false, let isDocument)?:
      updated += 1
      documentsUpdated += isDocument ? 1 : 0
    }
  }
}

extension StreamDescription {
  /// A fault of the caller: only a catalogue may say that an item is gone.
  var provesNoItemGone: SyncError {
    SyncError(
      .configuration, "\(id) does not say which items exist", hint: "this is a fault of syncctl: please report it")
  }
}

extension PostgresError {
  /// Data exceptions, integrity violations, program limits: the fault of a value, not of the server.
  var isAboutTheData: Bool {
    sqlState.map { ["22", "23", "54"].contains($0.classCode) } ?? false
  }
}

extension RejectedItem {
  init(_ item: PageItem, _ error: PostgresError) {
    self.init(
      key: item.key, reason: "refused", detail: Excerpt.of(error.message, scalars: 400),
      excerpt: Excerpt.of(item.document))
  }

  /// What tells the item apart in the quarantine: its key, or a digest of what is known of it.
  var identity: String {
    key.map(String.init)
      ?? "sha256:"
      + SHA256.hash(data: Array((detail + excerpt).utf8)).prefix(8).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
  }
}
