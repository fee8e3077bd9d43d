import Foundation
package import LibPQ

package struct RowSet: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case text
    case integer, decimal, bool, json
    case time
    case literal
  }

  package struct Column: Sendable, Equatable {
    package let name: String
    package let kind: Kind

    package init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  package let columns: [Column]
  /// Each value is a text in PostgreSQL's format (times as in `TimeText`); nil for NULL.
  package let rows: [[String?]]
  package let total: Int?

  package let sectionTotals: [String: Int]

  package init(columns: [Column], rows: [[String?]], total: Int? = nil) {
    self.columns = columns
    self.rows = rows
    self.total = total
    sectionTotals = [:]
  }

  /// - Parameter counter: the column that becomes `total`; `nil` for a user's query.
  package init(_ result: borrowing PGResult, counter: String? = "page_total") throws {
    let (names, types) = (result.columnNames, result.columnTypes)
    let sectionCounter = counter == nil ? nil : names.firstIndex(of: "section_totals")
    let counter = names.firstIndex { $0 == counter }
    let shown = names.indices.filter { $0 != counter && $0 != sectionCounter }
    columns = shown.map { Column(name: names[$0], kind: Kind(typeOID: types[$0])) }
    rows = try result.map { row in
      try shown.map { index in try row.text(index).map { Self.text($0, typeOID: types[index]) } }
    }
    let count = try result.first { row in try counter.flatMap { try row.int($0) } } ?? nil
    total = count.map { Int($0) }
    let totals = try result.first { row in try sectionCounter.flatMap { try row.text($0) } } ?? nil
    sectionTotals = totals.flatMap { try? JSONDecoder().decode([String: Int].self, from: Data($0.utf8)) } ?? [:]
  }

  private static func text(_ text: String, typeOID: UInt32) -> String {
    switch typeOID {
    case 1114: TimeText.local(text)
    case 1184: TimeText.instant(text)
    default: text
    }
  }
}

extension RowSet.Kind {
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
  package func rows(_ sql: SQL, _ parameters: [PGParameter] = []) async throws -> RowSet {
    try await read { connection in try RowSet(try connection.query(sql, parameters)) }
  }
}
