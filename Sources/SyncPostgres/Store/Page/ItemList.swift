import LibPQ
import SyncCore

struct ItemList: Sendable {
  let items: [PageItem]
  /// The request times of the items; `nil` if request times do not matter.
  private(set) var times: [Int64]?
  private var staging: (name: String, start: Int)?

  enum Field: String {
    case keys, contentHashes = "content_hashes", counterHashes = "counter_hashes", documents, counters,
      requestTimes = "request_times"

    fileprivate var type: String {
      switch self {
      case .keys, .counterHashes, .requestTimes: "bigint"
      case .contentHashes: "bytea"
      case .documents, .counters: "text"
      }
    }
  }

  init(_ items: [PageItem], times: [Int64]? = nil) {
    self.items = items
    self.times = times
  }

  func named(_ name: String) -> ItemList {
    var list = self
    list.staging = (name, 0)
    return list
  }

  var untimed: ItemList {
    var list = self
    list.times = nil
    return list
  }

  func filter(_ isIncluded: (PageItem) -> Bool) -> ItemList {
    let indices = items.indices.filter { isIncluded(items[$0]) }
    return ItemList(indices.map { items[$0] }, times: times.map { times in indices.map { times[$0] } })
  }

  subscript(_ range: Range<Int>) -> ItemList {
    var list = ItemList(Array(items[range]), times: times.map { Array($0[range]) })
    list.staging = staging.map { ($0.name, $0.start + range.lowerBound) }
    return list
  }

  func settings(_ fields: [Field]) -> [TransactionOptions.LocalSetting] {
    (fields + [.requestTimes]).compactMap { field in
      guard let list = list(field) else { return nil }
      return switch field {
      case .keys: list.holding(items.map(\.key))
      case .contentHashes: list.holding(items.lazy.map { "\\x" + $0.contentHash.hexadecimal })
      case .counterHashes: list.holding(items.map(\.counterHash))
      case .counters: list.holding(items.lazy.map { String(decoding: $0.counters, as: UTF8.self) })
      case .documents: nil  // `staged` sends documents in parts
      case .requestTimes: times.map { list.holding($0) }
      }
    }
  }

  func staged(as name: String, _ fields: [Field], _ connection: borrowing PGConnection) throws -> ItemList {
    guard staging == nil else { return self }
    let list = named(name)
    try connection.stage(list.settings(fields))
    if fields.contains(.documents), let documents = list.list(.documents) {
      try connection.stage(documents, items.map(\.document))
    }
    return list
  }

  func query(
    _ sql: SQL, _ fields: [Field], scope: [String], others: [PGParameter] = [], _ connection: borrowing PGConnection
  ) throws -> PGResult {
    var expressions: [Int: String] = [:]
    for (index, field) in fields.enumerated() { expressions[index + 1] = list(field)?.expression(range) }
    if times != nil { expressions[fields.count + 2] = list(.requestTimes)?.expression(range) }
    return try connection.query(
      sql, fields.map(parameter) + [.texts(scope), parameter(.requestTimes)] + others, staged: expressions)
  }

  private var range: Range<Int> {
    let start = staging?.start ?? 0
    return start..<(start + items.count)
  }

  private func list(_ field: Field) -> StagedList? {
    staging.map { StagedList("\($0.name)_\(field.rawValue)", of: field.type) }
  }

  private func parameter(_ field: Field) -> PGParameter {
    guard staging == nil else { return .null }
    return switch field {
    case .keys: .ints(items.map(\.key))
    case .contentHashes: .byteas(items.map(\.contentHash))
    case .counterHashes: .ints(items.map(\.counterHash))
    case .documents: .jsons(items.map(\.document))
    case .counters: .jsons(items.map(\.counters))
    case .requestTimes: times.map { .ints($0) } ?? .null
    }
  }
}
