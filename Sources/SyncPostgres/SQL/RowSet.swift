import Foundation
package import LibPQ

/// The result of a query as texts. Each row has a value for each column, in the order of `columns`.
///
/// The columns `page_total` and `section_totals` of a query become `total` and `sectionTotals`. A report keeps both as
/// ordinary columns.
package struct RowSet: Sendable, Equatable {
  /// The type of a column, derived from its type in PostgreSQL. The format of the output depends on the type. `time` is
  /// a `timestamptz`. A `literal` is another value without a user's text, such as a date or an interval.
  package enum CellType: Sendable, Equatable {
    case text
    case integer, decimal, bool, json
    case time
    case literal
  }

  /// The name of a column in the query, and its type.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let type: CellType

    package init(name: String, type: CellType) {
      self.name = name
      self.type = type
    }
  }

  package let columns: [Column]
  /// Each value is a text in PostgreSQL's format (times as in `TimeText`); nil for NULL.
  package let rows: Rows<String?>
  package let total: Int?

  package let sectionTotals: [String: Int]

  /// Creates a result in memory. Each row needs a value for each column. `total` is the number of rows of the whole
  /// listing; `nil` if it is unknown.
  package init(columns: [Column], rows: [[String?]], total: Int? = nil) {
    self.init(columns: columns, rows: Rows(rows), total: total)
  }

  /// Each row needs a value for each column. `sectionTotals` has the number of all rows of a section, by the section's
  /// text. Sections without an entry have as many rows as `rows` shows.
  package init(columns: [Column], rows: Rows<String?>, total: Int? = nil, sectionTotals: [String: Int] = [:]) {
    self.columns = columns
    self.rows = rows
    self.total = total
    self.sectionTotals = sectionTotals
  }

  /// Runs a query. The server's answer is never whole in memory, because a long answer is written to a temporary file.
  /// - Throws: `PostgresError`, or `SyncError` `.tryLater` if the temporary file cannot be written.
  package init(_ sql: SQL, _ parameters: [PGParameter] = [], _ connection: borrowing PGConnection) throws {
    var reader = RowSetReader()
    try connection.stream(sql, parameters) { result in try reader.add(result) }
    self = try reader.finish()
  }
}

/// Reads the results of a query, which can arrive in several parts.
struct RowSetReader {
  /// Whether `page_total` and `section_totals` are columns of the rows, as in a user's query.
  var hasOnlyRows = false
  private var columns: [RowSet.Column] = []
  private var shown: [(index: Int, type: UInt32)] = []
  private var rows = RowCollector()
  private var total: Int?
  private var sectionTotals: [String: Int] = [:]
  private var counters: (total: Int?, sections: Int?) = (nil, nil)
  private var hasBegun = false

  var count: Int { rows.count }
  var bytes: Int { rows.bytes }

  init(hasOnlyRows: Bool = false) { self.hasOnlyRows = hasOnlyRows }

  mutating func add(_ result: borrowing PGResult) throws {
    if !hasBegun { begin(result) }
    if total == nil, sectionTotals.isEmpty, counters.total != nil || counters.sections != nil {
      try readTotals(result)
    }
    for index in 0..<result.rowCount {
      try rows.append(
        try shown.map { column in
          try result.text(row: index, column: column.index).map { RowSet.text($0, typeOID: column.type) }
        })
    }
  }

  mutating func finish() throws -> RowSet {
    RowSet(columns: columns, rows: try rows.finish(), total: total, sectionTotals: sectionTotals)
  }

  private mutating func begin(_ result: borrowing PGResult) {
    hasBegun = true
    let (names, types) = (result.columnNames, result.columnTypes)
    if !hasOnlyRows {
      counters = (names.firstIndex(of: "page_total"), names.firstIndex(of: "section_totals"))
    }
    for (index, (name, type)) in zip(names, types).enumerated()
    where ![counters.total, counters.sections].contains(index) {
      columns.append(RowSet.Column(name: name, type: RowSet.CellType(typeOID: type)))
      shown.append((index, type))
    }
  }

  private mutating func readTotals(_ result: borrowing PGResult) throws {
    guard result.rowCount > 0 else { return }
    if let column = counters.total { total = try result.int(row: 0, column: column).map { Int($0) } }
    if let column = counters.sections, let json = try result.text(row: 0, column: column) {
      sectionTotals = (try? JSONDecoder().decode([String: Int].self, from: Data(json.utf8))) ?? [:]
    }
  }
}

extension RowSet {
  fileprivate static func text(_ text: String, typeOID: UInt32) -> String {
    switch typeOID {
    case 1114: TimeText.local(text)
    case 1184: TimeText.instant(text)
    default: text
    }
  }
}

extension RowSet.CellType {
  /// The OIDs of built-in types never change (pg_type.dat). PostgreSQL reports the base type's OID for a domain.
  fileprivate init(typeOID: UInt32) {
    switch typeOID {
    case 16: self = .bool
    case 20, 21, 23: self = .integer
    case 700, 701, 1700: self = .decimal
    case 114, 3802: self = .json
    case 1184: self = .time
    // int2vector, money, date, timestamp, interval.
    case 22, 790, 1082, 1114, 1186: self = .literal
    default: self = .text
    }
  }
}

extension Database {
  /// Runs a query in a read-only transaction, as `read` does, and returns its rows in the query's order.
  package func rows(_ sql: SQL, _ parameters: [PGParameter] = []) async throws -> RowSet {
    try await read { connection in try RowSet(sql, parameters, connection) }
  }
}
