package import LibPQ

/// The rows of a query with what is needed to print them: names, and the kinds of the columns.
package struct RowSet: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case text, integer, decimal, bool, time, json
  }

  package struct Column: Sendable, Equatable {
    /// As the query names it, in snake_case.
    package let name: String
    package let kind: Kind

    package init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  package let columns: [Column]
  /// One text per column as PostgreSQL writes it (times as ISO 8601 UTC), nil for NULL.
  package let rows: [[String?]]

  /// - Parameter rows: each as long as there are columns.
  package init(columns: [Column], rows: [[String?]]) {
    self.columns = columns
    self.rows = rows
  }

  init(_ result: borrowing PGResult) throws {
    let kinds = result.columnTypes.map(Kind.init(typeOID:))
    columns = zip(result.columnNames, kinds).map { Column(name: $0, kind: $1) }
    rows = try result.map { row in
      try kinds.indices.map { index in
        let text = try row.text(index)
        return kinds[index] == .time ? text.map(Self.isoTime) : text
      }
    }
  }

  /// `2026-11-21 04:00:00.123+00` (DateStyle ISO, time zone UTC) as `2026-11-21T04:00:00Z`.
  static func isoTime(_ text: String) -> String {
    let seconds = text.prefix(19)
    guard seconds.utf8.count == 19 else { return text }
    return seconds.replacing(" ", with: "T") + "Z"
  }
}

extension RowSet.Kind {
  /// OIDs of PostgreSQL's built-in types, which never change (pg_type.dat).
  fileprivate init(typeOID: UInt32) {
    switch typeOID {
    case 16: self = .bool
    case 20, 21, 23: self = .integer
    case 700, 701, 1700: self = .decimal
    case 114, 3802: self = .json
    case 1114, 1184: self = .time
    default: self = .text
    }
  }
}

extension Database {
  /// Runs one statement in a read-only transaction.
  package func rows(_ sql: SQL, _ parameters: [PGParameter] = []) async throws -> RowSet {
    try await read { connection in try RowSet(try connection.query(sql, parameters)) }
  }
}
