import LibPQ
import SyncCore

/// Items as the first parameters of statements: sent with each statement, or staged once before the first lock.
struct ItemList: Sendable {
  let items: [PageItem]
  /// What the settings' names begin with, and where in the staged lists these items begin; nil sends the items.
  private let staged: (name: String, start: Int)?

  /// A member of the items, as a list.
  enum Field: String {
    case keys, contentHashes = "content_hashes", counterHashes = "counter_hashes", documents, counters

    fileprivate var type: String {
      switch self {
      case .keys, .counterHashes: "bigint"
      case .contentHashes: "bytea"
      case .documents, .counters: "text"
      }
    }
  }

  init(_ items: [PageItem], stagedAs name: String? = nil) {
    self.init(items, name.map { ($0, 0) })
  }

  private init(_ items: [PageItem], _ staged: (name: String, start: Int)?) {
    self.items = items
    self.staged = staged
  }

  /// Some of the items, by their places in `items`.
  subscript(_ places: Range<Int>) -> ItemList {
    ItemList(Array(items[places]), staged.map { ($0.name, $0.start + places.lowerBound) })
  }

  /// The settings that `compare.sql` needs; none for items that are sent.
  var comparison: [TransactionOptions.LocalSetting] {
    guard let keys = list(.keys), let hashes = list(.contentHashes), let counters = list(.counterHashes) else {
      return []
    }
    return [
      keys.holding(items.map(\.key)), hashes.holding(items.lazy.map { "\\x" + $0.contentHash.hexadecimal }),
      counters.holding(items.map(\.counterHash)),
    ]
  }

  /// Sends all that has to be staged of the items.
  ///
  /// - Parameter count: of the items at the beginning whose documents are sent, too.
  func stage(documents count: Int, _ connection: borrowing PGConnection) throws {
    guard let documents = list(.documents), let counters = list(.counters) else { return }
    let texts = items.lazy.map { String(decoding: $0.counters, as: UTF8.self) }
    try connection.stage(
      comparison + [counters.holding(texts)], documents, items.prefix(count).map(\.document))
  }

  /// Runs a statement whose first parameters are these fields.
  func query(
    _ sql: SQL, _ fields: [Field], _ others: [PGParameter], _ connection: borrowing PGConnection
  ) throws -> PGResult {
    let expressions = fields.enumerated().compactMap { index, field in
      list(field).map { list in (index + 1, list.expression(places)) }
    }
    return try connection.query(
      sql, fields.map(parameter) + others, staged: Dictionary(uniqueKeysWithValues: expressions))
  }

  private var places: Range<Int> {
    let start = staged?.start ?? 0
    return start..<(start + items.count)
  }

  private func list(_ field: Field) -> StagedList? {
    staged.map { StagedList("\($0.name)_\(field.rawValue)", of: field.type) }
  }

  private func parameter(_ field: Field) -> PGParameter {
    guard staged == nil else { return .null }
    return switch field {
    case .keys: .ints(items.map(\.key))
    case .contentHashes: .byteas(items.map(\.contentHash))
    case .counterHashes: .ints(items.map(\.counterHash))
    case .documents: .jsons(items.map(\.document))
    case .counters: .jsons(items.map(\.counters))
    }
  }
}
