import Hashing
import LibPQ
import SyncCore

/// Writes the items of one page inside the page's transaction: what differs, and nothing else.
///
/// A row whose content was requested later than the item is newer. It stays, and the item counts as unchanged.
struct PageWriter {
  let stream: StreamDescription
  let sql: SourceSQL

  /// How an item of the page differs from the mirror.
  struct Difference {
    let isNew: Bool
    let isDocument: Bool
    let isVanished: Bool
    /// The table whose row differs.
    let table: String

    /// More than counters have to be written.
    var needsDocument: Bool { isNew || isDocument || isVanished }
  }

  /// What a statement says it wrote of an item.
  struct Written {
    let key: Int64
    let isNew: Bool
    /// Nil where no counters had to be written, or none apart from the document.
    let hasCounters: Bool?
  }

  struct Changes {
    let differences: [Int64: Difference]
    /// Sorted by key.
    fileprivate let documents: ItemList
    /// Items of which only the counters moved; sorted by key.
    fileprivate let moved: ItemList
  }

  /// What the statements have stored of the changes.
  struct Stored {
    fileprivate var written: [Int64: Written] = [:]
    fileprivate(set) var refused: [RejectedItem] = []

    fileprivate mutating func add(_ written: [Written], _ refused: [RejectedItem]) {
      for item in written where self.written[item.key] == nil { self.written[item.key] = item }
      self.refused += refused
    }
  }

  /// The page's items in the order in which they are compared and written, to be staged as the transaction begins.
  ///
  /// Sorted, so that two writers of the same items never lock them in opposite orders.
  ///
  /// - Parameter times: when each was requested.
  static func page(_ items: some Sequence<PageItem>, _ times: [Int64: Int64]) -> ItemList {
    let items = items.sorted { $0.key < $1.key }
    return ItemList(items, times: items.map { times[$0.key] ?? 0 }).named("page")
  }

  func changes(in page: ItemList, _ connection: borrowing PGConnection) throws -> Changes {
    // A transaction of pages that nobody had to read has no items.
    let differences = page.items.isEmpty ? [:] : try compare(page, connection)
    return Changes(
      differences: differences,
      documents: page.filter { differences[$0.key]?.needsDocument == true },
      moved: page.filter { differences[$0.key]?.needsDocument == false })
  }

  /// Writes what differs. To be called before the transaction's first lock: no large message follows one that locks.
  ///
  /// - Throws: the error about a value that PostgreSQL refuses, unless such items are to be omitted.
  func store(_ changes: Changes, omitsRefused: Bool, _ connection: borrowing PGConnection) throws -> Stored {
    var (stored, documents, moved) = (Stored(), changes.documents, changes.moved)
    // The first statement arrives whole before it locks anything. What the second one needs comes before it.
    if !documents.items.isEmpty, !moved.items.isEmpty {
      moved = try moved.staged(as: "moved", Self.counterFields, connection)
    }
    if documents.items.lazy.map(\.document.count).reduce(0, +) > Limits.stagedBytes {
      documents = try documents.staged(as: "documents", Self.documentFields, connection)
    }
    if omitsRefused {
      let documents = try Self.store(documents, Self.documentFields, connection, writeDocuments)
      stored.add(documents.written, documents.refused)
      let moved = try Self.store(moved, Self.counterFields, connection, writeCounters)
      stored.add(moved.written, moved.refused)
    } else {
      if !documents.items.isEmpty { stored.add(try writeDocuments(documents, connection), []) }
      if !moved.items.isEmpty { stored.add(try writeCounters(moved, connection), []) }
    }
    return stored
  }

  struct Outcome {
    /// With one outcome for every row.
    var counters: RunCounters
    /// Items of the page of which the mirror has another version now, whoever wrote it.
    var others: Set<Int64> = []
  }

  /// Counts the outcome of each row, and sees to it that nothing has kept a stored one away.
  ///
  /// - Parameters:
  ///   - page: with the items of `changes`.
  ///   - rows: those that are counted.
  /// - Throws: `SyncError` if a table dropped a row.
  func outcome(
    of stored: Stored, _ changes: Changes, of page: ItemList, _ rows: [PageCommit.Row], counters: RunCounters,
    _ connection: borrowing PGConnection
  ) throws -> Outcome {
    guard !page.items.isEmpty else { return Outcome(counters: counters) }
    var counters = counters
    let (written, differences) = (stored.written, changes.differences)
    let refusedKeys = Set(stored.refused.compactMap(\.key))
    // Triggers that run after a row was written may still have changed it. Its lock keeps all others away.
    let others = try compare(page.untimed, connection)
    try verify(stored, changes, of: page, others, connection)
    counters.quarantined += stored.refused.count
    for row in rows {
      if refusedKeys.contains(row.item.key) {
        // One item, one outcome: it was counted as a duplicate already.
        counters.duplicates -= row.isDuplicate ? 1 : 0
      } else if !row.isDuplicate {
        counters.count(
          written[row.item.key].map { written in
            (isNew: written.isNew, isDocument: differences[written.key]?.isDocument ?? false)
          })
      }
    }
    return Outcome(counters: counters, others: Set(others.keys))
  }

  /// Sees to it that every item which was sent is in the mirror, or what is there is newer.
  ///
  /// - Parameter others: items of which the mirror has another version now.
  private func verify(
    _ stored: Stored, _ changes: Changes, of page: ItemList, _ others: [Int64: Difference],
    _ connection: borrowing PGConnection
  ) throws {
    let (written, differences) = (stored.written, changes.differences)
    let left = Set(differences.keys).subtracting(written.keys).subtracting(stored.refused.compactMap(\.key))
    if !left.isEmpty,
      let dropped = try compare(page, connection).first(where: { left.contains($0.key) })
    {
      throw try DroppedRows.error(dropped.value.table, connection)
    }
    let leftCounters = page.filter { written[$0.key]?.hasCounters == false }
    if !leftCounters.items.isEmpty, let statement = sql.countersDropped {
      try leftCounters.query(statement, [.keys], scope: stream.sql.scope, connection).refuseDropped(connection)
    }
    let dropped = others.first { key, difference in
      guard let written = written[key] else { return false }
      return difference.needsDocument == differences[key]?.needsDocument
        || written.hasCounters == true && !difference.needsDocument
    }
    if let dropped { throw try DroppedRows.error(dropped.value.table, connection) }
  }

  func compare(_ items: ItemList, _ connection: borrowing PGConnection) throws -> [Int64: Difference] {
    try Self.compare(items, by: sql.compare, scope: stream.sql.scope, connection)
  }

  static func compare(
    _ items: ItemList, by compare: SQL, scope: [String], _ connection: borrowing PGConnection
  ) throws -> [Int64: Difference] {
    let rows = try items.query(compare, comparedFields, scope: scope, connection).map { row in
      (
        try row.int(0) ?? 0,
        Difference(
          isNew: try row.bool(1) ?? false, isDocument: try row.bool(2) ?? false, isVanished: try row.bool(3) ?? false,
          table: try row.text(4) ?? "")
      )
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Stores all at once; if PostgreSQL refuses a value, one by one, so that only the bad item is omitted.
  ///
  /// - Parameter fields: what `write` sends of the items.
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
      // What the failed statement had locked is free again. The first good item will be locked when the next is sent.
      let list = try list.staged(as: "singly", fields, connection)
      return try items.indices.reduce(into: ([], [])) { all, place in
        let one = try store(list[place..<(place + 1)], fields, connection, write)
        all.written += one.written
        all.refused += one.refused
      }
    }
  }

  static let documentFields: [ItemList.Field] = [.keys, .contentHashes, .counterHashes, .documents]
  static let comparedFields: [ItemList.Field] = [.keys, .contentHashes, .counterHashes]
  static let counterFields: [ItemList.Field] = [.keys, .counterHashes, .counters]

  private func writeDocuments(_ items: ItemList, _ connection: borrowing PGConnection) throws -> [Written] {
    try Self.write(items, by: sql.write, scope: stream.sql.scope, derivesAnew: false, connection)
  }

  static func write(
    _ items: ItemList, by write: SQL, scope: [String], derivesAnew: Bool, _ connection: borrowing PGConnection
  ) throws -> [Written] {
    try items.query(write, documentFields, scope: scope, others: [.bool(derivesAnew)], connection).map { row in
      Written(key: try row.int(0) ?? 0, isNew: try row.bool(1) ?? false, hasCounters: try row.bool(2))
    }
  }

  private func writeCounters(_ items: ItemList, _ connection: borrowing PGConnection) throws -> [Written] {
    guard let counters = sql.counters else { return [] }
    return try items.query(counters, Self.counterFields, scope: stream.sql.scope, connection).map { row in
      Written(key: try row.int(0) ?? 0, isNew: false, hasCounters: true)
    }
  }

  /// Marks items as vanished.
  ///
  /// - Parameter requestTime: of the first of their addresses, as `OpenWalk.requestTime` gives it.
  /// - Returns: how many were marked: not those whose content was requested later.
  func vanish(_ keys: [Int64], requestTime: Int64, _ connection: borrowing PGConnection) throws -> Int {
    guard !keys.isEmpty else { return 0 }
    guard case .questionsItem(_, let vanish) = sql.absence else { throw stream.provesNoItemGone }
    let marked = try connection.query(
      vanish, [.ints(keys), .texts(stream.sql.scope), .int(requestTime)]
    )
    try marked.refuseDropped(connection)
    return Int(try marked.int(row: 0, column: 0) ?? 0)
  }

  /// Takes the mark of having vanished from items that were met, though nothing of them was stored.
  ///
  /// - Parameters:
  ///   - met: the keys of each reading, and when it was requested, as `OpenWalk.requestTime` gives it.
  ///   - list: which has all keys, if they were staged.
  func bringBack(
    _ met: [(keys: [Int64], requestTime: Int64)], staged list: StagedList? = nil, _ connection: borrowing PGConnection
  ) throws {
    let keys = met.flatMap(\.keys)
    guard !keys.isEmpty, let hasVanished = sql.hasVanished, let returned = sql.returned else { return }
    let scope = PGParameter.texts(stream.sql.scope)
    func staged(_ places: Range<Int>) -> [Int: String] { list.map { [1: $0.expression(places)] } ?? [:] }
    // Nearly always there is nothing to do, and the statement that does it costs much more to plan.
    let mustReturn = try connection.query(hasVanished, [.ints(keys), scope], staged: staged(keys.indices))
      .bool(row: 0, column: 0)
    guard mustReturn == true else { return }
    var start = 0
    for reading in met where !reading.keys.isEmpty {
      let places = start..<start + reading.keys.count
      try connection.query(
        returned, [.ints(reading.keys), scope, .int(reading.requestTime)], staged: staged(places)
      ).refuseDropped(connection)
      start = places.upperBound
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
  /// A fault of the caller: only a catalogue may say that an item is missing.
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
      ?? "sha256:" + SHA256.hash(data: Array((detail + excerpt).utf8)).prefix(8).hexadecimal
  }
}

/// Readings of a walk that are stored nowhere, which the statements about it have to be told: those of a dry run.
struct UnstoredReadings {
  var keys: [Int64] = []
  /// Items that would be live besides those of the mirror.
  var added = 0
  var counters = RunCounters()
  var hasUnreadable = false
  var claimedTotal: Int?
}

/// Readings that are committed together, as one.
struct PageBatch: Sendable {
  let readings: [PageCommit]
  /// One for each item: of one that several readings have, the first, which is the one that is counted.
  let rows: [PageCommit.Row]
  /// The items of the rows. Each has the time of the last request that it answered: it is the same in all readings.
  let items: ItemList

  init(_ readings: [PageCommit], of walk: OpenWalk) {
    var times: [Int64: Int64] = [:]
    var rows: [PageCommit.Row] = []
    for reading in readings {
      for row in reading.rows {
        let time = walk.requestTime(row.requestedAt ?? reading.requestedAt)
        if times[row.item.key] == nil { rows.append(row) }
        times[row.item.key] = max(times[row.item.key] ?? time, time)
      }
    }
    self.readings = readings
    self.rows = rows
    items = PageWriter.page(rows.map(\.item), times)
  }

  var last: Int { readings.last?.page.number ?? 0 }

  /// What the readings add to the run's counters, except the outcomes of their items.
  var counters: RunCounters { readings.reduce(into: RunCounters()) { $0 += $1.counters } }
}
