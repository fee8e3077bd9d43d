import Foundation
package import SyncPostgres

/// A row whose values are read by the names of columns. An absent column reads like a null.
///
/// If columns have the same name, the last column counts.
package struct NamedRow: Sendable {
  private let cells: [String: String]

  /// Pairs the values of a row with the columns. The row needs a value for each column, in their order.
  package init(_ columns: [RowSet.Column], _ row: [String?]) {
    cells = zip(columns, row).reduce(into: [:]) { cells, pair in cells[pair.0.name] = pair.1 }
  }

  /// The column's text in PostgreSQL's format; `nil` for a null and for an absent column.
  package subscript(_ column: String) -> String? { cells[column] }

  /// Returns the column's whole number; `nil` for any other text or a null.
  package func int(_ column: String) -> Int? { cells[column].flatMap { Int($0) } }

  /// Whether the column has PostgreSQL's text for true, `t`. False for a null.
  package func isTrue(_ column: String) -> Bool { cells[column] == "t" }

  /// Decodes the column's JSON, with names in snake case. Returns `nil` for a null, or if the JSON does not match.
  package func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) -> Value? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return cells[column].flatMap { try? decoder.decode(Value.self, from: Data($0.utf8)) }
  }
}

extension RowSet {
  package var namedRows: [NamedRow] { rows.map { NamedRow(columns, $0) } }

  package var texts: [String] { rows.compactMap { $0[0] } }
  package var ids: [Int64] { texts.compactMap { Int64($0) } }

  /// Returns the number of rows whose value in the column is not null and differs from `value`.
  package func count(ofOther value: String, in column: String) -> Int {
    namedRows.count { row in row[column].map { $0 != value } ?? false }
  }
}
