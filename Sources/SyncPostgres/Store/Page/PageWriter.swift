import Hashing
import LibPQ
import SyncCore

/// Writes changed items. If a stored row is from a later request than the item, the row stays and the item counts as
/// unchanged.
struct PageWriter {
  let stream: StreamDescription

  /// The difference between an item and its stored row.
  struct Difference {
    /// Whether no row is stored.
    let isNew: Bool
    /// Whether the documents differ. If not, only the counters differ.
    let isDocument: Bool
    /// Whether the stored row is marked as vanished.
    let isVanished: Bool
    /// The table that must be written, for errors.
    let table: String

    /// Whether the document must be written, and not only the counters.
    var needsDocument: Bool { isNew || isDocument || isVanished }
  }

  /// A row that was written. `hasCounters` is whether counters were written with its document; `nil` if the table has
  /// none.
  struct Written {
    let key: Int64
    let isNew: Bool
    let hasCounters: Bool?
  }

  /// The items of a page that differ from the stored rows, by key.
  struct Changes {
    let differences: [Int64: Difference]
    /// The items whose documents must be written, with their counters.
    fileprivate let documents: ItemList
    /// The items whose counters alone must be written.
    fileprivate let counters: ItemList
  }

  /// The rows that were written, and the items that PostgreSQL refused.
  struct Stored {
    fileprivate var written: [Int64: Written] = [:]
    fileprivate(set) var refused: [RejectedItem] = []

    fileprivate mutating func add(_ written: [Written], _ refused: [RejectedItem]) {
      for item in written where self.written[item.key] == nil { self.written[item.key] = item }
      self.refused += refused
    }
  }

  /// Sorts the items, so that concurrent writers lock the same items in the same order.
  static func page(_ items: some Sequence<PageItem>, _ times: [Int64: Int64]) -> ItemList {
    let items = items.sorted { $0.key < $1.key }
    return ItemList(items, times: items.map { times[$0.key] ?? 0 }).named("page")
  }

  /// Compares the items with the stored rows, without locks. An item whose stored row is from a later request counts as
  /// equal, because the row stays.
  func changes(in page: ItemList, _ connection: borrowing PGConnection) throws -> Changes {
    let differences = page.items.isEmpty ? [:] : try Self.compare(page, stream.sql, connection)
    return Changes(
      differences: differences, documents: page.filter { differences[$0.key]?.needsDocument == true },
      counters: page.filter { differences[$0.key]?.needsDocument == false })
  }

  /// Writes the changed rows: documents first, then the counters of other items.
  ///
  /// Must run before the transaction's first lock, so that no large message follows a locking statement.
  /// - Parameter omitsRefused: Whether an item that PostgreSQL refuses is omitted and returned in `refused`. If not,
  ///   PostgreSQL's error is thrown.
  func store(_ changes: Changes, omitsRefused: Bool, _ connection: borrowing PGConnection) throws -> Stored {
    var stored = Stored()
    var documents = changes.documents
    var counters = changes.counters

    // The counters are staged now, because writing the documents takes locks.
    if !documents.items.isEmpty, !counters.items.isEmpty {
      counters = try counters.staged(as: "counters", Self.counterFields, connection)
    }

    if documents.items.lazy.map(\.document.count).reduce(0, +) > Limits.stagedBytes {
      documents = try documents.staged(as: "documents", Self.documentFields, connection)
    }

    if omitsRefused {
      let documents = try Self.store(documents, Self.documentFields, connection, writeDocuments)
      stored.add(documents.written, documents.refused)
      let counters = try Self.store(counters, Self.counterFields, connection, writeCounters)
      stored.add(counters.written, counters.refused)
    } else {
      if !documents.items.isEmpty { stored.add(try writeDocuments(documents, connection), []) }
      if !counters.items.isEmpty { stored.add(try writeCounters(counters, connection), []) }
    }
    return stored
  }

  /// The effect of a write on the counters and on the stored items.
  struct WriteTally {
    let counters: RunCounters
    /// Items whose stored version differs from the page's version after the write, because another request or a trigger
    /// stored the other version.
    let others: Set<Int64>
  }

  /// Counts the effect of `store`, after it has checked that the rows are stored.
  /// - Parameters:
  ///   - counters: The counters of the readings, to which the effect is added.
  ///   - page: The items that `changes` compared.
  /// - Throws: `SyncError` `.configuration` if a trigger, rule or policy has dropped or changed a row.
  func outcome(
    of stored: Stored, _ changes: Changes, on page: ItemList, rows: [PageCommit.Row], counters: RunCounters,
    _ connection: borrowing PGConnection
  ) throws -> WriteTally {
    guard !page.items.isEmpty else { return WriteTally(counters: counters, others: []) }
    var counters = counters
    let written = stored.written
    let differences = changes.differences
    let refusedKeys = Set(stored.refused.compactMap(\.key))

    // Another writer cannot change a written row, because the row is locked. A trigger can.
    let others = try Self.compare(page.untimed, stream.sql, connection)
    try verify(stored, changes, on: page, others: others, connection)

    counters.quarantined += stored.refused.count
    for row in rows {
      if refusedKeys.contains(row.item.key) {
        counters.duplicates -= row.isDuplicate ? 1 : 0
      } else if !row.isDuplicate {
        counters.count(
          written[row.item.key].map { written in
            (isNew: written.isNew, isDocument: differences[written.key]?.isDocument ?? false)
          })
      }
    }

    return WriteTally(counters: counters, others: Set(others.keys))
  }

  /// - Parameter others: The items that differ from the stored rows after the write, whatever their request times.
  /// - Throws: `SyncError` `.configuration` if a row that had to be written is not stored.
  private func verify(
    _ stored: Stored, _ changes: Changes, on page: ItemList, others: [Int64: Difference],
    _ connection: borrowing PGConnection
  ) throws {
    let written = stored.written
    let differences = changes.differences
    let skipped = Set(differences.keys).subtracting(written.keys).subtracting(stored.refused.compactMap(\.key))
    if !skipped.isEmpty {
      let missing = try Self.compare(page, stream.sql, connection).filter { skipped.contains($0.key) }
      if let table = missing.values.first?.table { throw SyncError.droppedRows(of: table, count: missing.count) }
    }

    let skippedCounters = page.filter { written[$0.key]?.hasCounters == false }
    if !skippedCounters.items.isEmpty, let statement = SourceSQL.optional("counters_dropped", stream.sql) {
      try skippedCounters.query(statement, [.keys], scope: stream.sql.scope, connection).refuseDropped()
    }

    let dropped = others.filter { key, difference in
      guard let written = written[key] else { return false }
      return difference.needsDocument == differences[key]?.needsDocument
        || written.hasCounters == true && !difference.needsDocument
    }
    if let table = dropped.values.first?.table { throw SyncError.droppedRows(of: table, count: dropped.count) }
  }

  /// Returns the items that differ from their stored rows, by key.
  static func compare(
    _ items: ItemList, _ sql: StreamSQL, _ connection: borrowing PGConnection
  ) throws -> [Int64: Difference] {
    let compare = try SourceSQL.text("compare", sql)
    let rows = try items.query(compare, comparedFields, scope: sql.scope, connection).map { row in
      (
        try row.int(0) ?? 0,
        Difference(
          isNew: try row.bool(1) ?? false, isDocument: try row.bool(2) ?? false, isVanished: try row.bool(3) ?? false,
          table: try row.text(4) ?? "")
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// If PostgreSQL refuses a value, stores the items one by one, so that only the bad item is omitted.
  static func store(
    _ list: ItemList, _ fields: [ItemList.Field], _ connection: borrowing PGConnection,
    _ write: (ItemList, borrowing PGConnection) throws -> [Written]
  ) throws -> (written: [Written], refused: [RejectedItem]) {
    let items = list.items
    guard !items.isEmpty else { return ([], []) }
    do {
      return (try connection.savepoint { connection in try write(list, connection) }, [])
    } catch let error as PostgresError where error.isAboutTheData {
      guard items.count > 1 else { return ([], [RejectedItem(items[0], error)]) }
      // The rollback to the savepoint has released the locks. The items must be staged before the next lock.
      let list = try list.staged(as: "singly", fields, connection)
      return try items.indices.reduce(into: ([], [])) { all, index in
        let one = try store(list[index..<(index + 1)], fields, connection, write)
        all.written += one.written
        all.refused += one.refused
      }
    }
  }

  static let documentFields: [ItemList.Field] = [.keys, .contentHashes, .counterHashes, .documents]
  static let comparedFields: [ItemList.Field] = [.keys, .contentHashes, .counterHashes]
  static let counterFields: [ItemList.Field] = [.keys, .counterHashes, .counters]

  private func writeDocuments(_ items: ItemList, _ connection: borrowing PGConnection) throws -> [Written] {
    try Self.write(items, stream.sql, derivesAnew: false, connection)
  }

  /// Writes documents and their counters. Rows of later requests stay and are not returned.
  /// - Parameter derivesAnew: Whether stored documents are written again, for columns that a new mapping derives.
  static func write(
    _ items: ItemList, _ sql: StreamSQL, derivesAnew: Bool, _ connection: borrowing PGConnection
  ) throws -> [Written] {
    try items.query(
      SourceSQL.text("write", sql), documentFields, scope: sql.scope, others: [.bool(derivesAnew)], connection
    ).map { row in
      Written(key: try row.int(0) ?? 0, isNew: try row.bool(1) ?? false, hasCounters: try row.bool(2))
    }
  }

  private func writeCounters(_ items: ItemList, _ connection: borrowing PGConnection) throws -> [Written] {
    guard let counters = SourceSQL.optional("counters", stream.sql) else { return [] }
    return try items.query(counters, Self.counterFields, scope: stream.sql.scope, connection).map { row in
      Written(key: try row.int(0) ?? 0, isNew: false, hasCounters: true)
    }
  }

  /// Marks items as vanished, except items that were requested after `requestTime`. Returns the number of marked rows.
  func vanish(_ keys: [Int64], requestTime: Int64, _ connection: borrowing PGConnection) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    guard case .questionsItem = stream.absence else { throw stream.provesNoItemGone }
    let marked = try connection.query(
      SourceSQL.text("vanish", stream.sql), [.ints(keys), .texts(stream.sql.scope), .int(requestTime)])
    try marked.refuseDropped()
    return Int(try marked.int(row: 0, column: 0) ?? 0)
  }

  /// The statement that unmarks vanished items. `nil` if nothing of the stream vanishes.
  var returned: SQL? { stream.absence == .provesNothing ? nil : SourceSQL.optional("returned", stream.sql) }

  /// Unmarks vanished items that a reading has, unless they were marked by a later request.
  func bringBack(
    _ present: [(keys: [Int64], requestTime: Int64)], staged list: StagedList? = nil,
    _ connection: borrowing PGConnection
  ) throws {
    let keys = present.flatMap(\.keys)
    guard !keys.isEmpty, let returned else { return }

    let hasVanished = try SourceSQL.text("has_vanished", stream.sql)
    let scope = PGParameter.texts(stream.sql.scope)
    func staged(_ range: Range<Int>) -> [Int: String] { list.map { [1: $0.expression(range)] } ?? [:] }
    // This cheap query comes first, because items rarely return and `returned` is expensive to plan.
    let mustReturn = try connection.query(hasVanished, [.ints(keys), scope], staged: staged(keys.indices))
      .bool(row: 0, column: 0)
    guard mustReturn == true else { return }

    var start = 0
    for reading in present where !reading.keys.isEmpty {
      let range = start..<start + reading.keys.count
      try connection.query(
        returned, [.ints(reading.keys), scope, .int(reading.requestTime)], staged: staged(range)
      ).refuseDropped()
      start = range.upperBound
    }
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
  var provesNoItemGone: SyncError {
    SyncError(
      .configuration, "\(id) does not say which items exist", hint: "this is a bug in syncctl; please report it")
  }
}

extension PostgresError {
  /// Whether a value caused the error: a data exception, an integrity violation or a program limit.
  var isAboutTheData: Bool {
    sqlState.map { ["22", "23", "54"].contains($0.classCode) } ?? false
  }
}

extension RejectedItem {
  init(_ item: PageItem, _ error: PostgresError) {
    self.init(
      key: item.key, reason: error.server?.constraint == Self.keyType ? Self.keyType : "refused",
      detail: Excerpt.of(error.message, scalars: 400),
      excerpt: Excerpt.of(item.document))
  }

  /// The reason for an item whose key has another JSON type than the declaration or the stored key. The function
  /// `sync.expect_same_key` sets it as the error's constraint.
  package static let keyType = "key_type"

  var identity: String {
    key.map(String.init) ?? "sha256:" + SHA256.hash(data: Array((detail + excerpt).utf8)).prefix(8).hexadecimal
  }
}
