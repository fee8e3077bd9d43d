import EmbeddedSQL
package import LibPQ
import SyncCore

/// The rows of a query with what is needed to print them: names, and the kinds of the columns.
package struct RowSet: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Text, or a value of any type that is not named below.
    case text
    case integer, decimal, bool, json
    /// A `timestamptz`.
    case time
    /// A value that may begin with a sign and never holds arbitrary text: a date, a `timestamp`, an interval, money.
    case literal
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
  /// One text per column as PostgreSQL writes it (`timestamptz` and `timestamp` as `TimeText`), nil for NULL.
  package let rows: [[String?]]

  /// - Parameter rows: each as long as there are columns.
  package init(columns: [Column], rows: [[String?]]) {
    self.columns = columns
    self.rows = rows
  }

  init(_ result: borrowing PGResult) throws {
    let types = result.columnTypes
    columns = zip(result.columnNames, types).map { Column(name: $0, kind: Kind(typeOID: $1)) }
    rows = try result.map { row in
      try types.indices.map { index in
        let text = try row.text(index)
        return text.map { Self.text($0, typeOID: types[index]) }
      }
    }
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
  /// OIDs of PostgreSQL's built-in types, which never change (pg_type.dat). A domain has the OID of its base type.
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
  /// Runs one statement in a read-only transaction.
  package func rows(_ sql: SQL, _ parameters: [PGParameter] = []) async throws -> RowSet {
    try await read { connection in try RowSet(try connection.query(sql, parameters)) }
  }
}

/// The statements of questions: `sql/sources/<source>/queries/*.sql`, and those of no source in `sql/shared/queries`.
/// Each file is a complete statement, which `psql` prepares as it stands.
enum QuerySQL {
  /// - Parameter source: nil for what is shared.
  /// - Throws: `SyncError` if the file is missing, which the tests of the questions rule out.
  static func text(_ name: String, of source: String? = nil) throws(SyncError) -> SQL {
    let path = "\(source.map { "sources/\($0)" } ?? "shared")/queries/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not in this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}

/// Times as people and programs read them: ISO 8601, from the text that PostgreSQL writes with `DateStyle` ISO.
///
/// Text in any other form is returned unchanged: `infinity`, and times of a report that has changed `DateStyle` or
/// `TimeZone` for its transaction.
package enum TimeText {
  /// The text of a `timestamptz`: `2026-11-21 04:00:00.123+00` becomes `2026-11-21T04:00:00.123Z`.
  ///
  /// A year before Christ keeps its ` BC`. An offset other than zero stays: a `Z` would make it another instant.
  static func instant(_ text: String) -> String {
    let era = text.hasSuffix(" BC") ? " BC" : ""
    let time = text.dropLast(era.count)
    return time.hasSuffix("+00") ? local(String(time.dropLast(3))) + "Z" + era : text
  }

  /// The text of a `timestamp`, which is in no known time zone: `2026-11-21 04:00:00` becomes `2026-11-21T04:00:00`.
  static func local(_ text: String) -> String {
    // Only a day in ISO 8601 has a hyphen before its last two digits.
    guard let blank = text.firstIndex(of: " "), text[..<blank].dropLast(2).last == "-" else { return text }
    return text[..<blank] + "T" + text[text.index(after: blank)...]
  }

  /// The text of a `timestamptz` to the second: `2026-11-21T04:00:00Z`.
  static func second(_ text: String) -> String { wholeSecond(instant(text)) }

  /// A time without its fraction of a second, for messages and tables.
  package static func wholeSecond(_ text: String) -> String {
    guard let point = text.firstIndex(of: ".") else { return text }
    return String(text[..<point] + text[point...].dropFirst().drop { $0.isNumber })
  }
}
