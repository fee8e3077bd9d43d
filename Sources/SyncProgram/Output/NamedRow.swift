import Foundation
package import SyncPostgres

package struct NamedRow {
  private let cells: [String: String]

  package init(_ columns: [RowSet.Column], _ row: [String?]) {
    cells = zip(columns, row).reduce(into: [:]) { cells, pair in cells[pair.0.name] = pair.1 }
  }

  package subscript(_ column: String) -> String? { cells[column] }

  package func int(_ column: String) -> Int? { cells[column].flatMap { Int($0) } }

  package func isTrue(_ column: String) -> Bool { cells[column] == "t" }

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

  package func count(ofOther wanted: String, in column: String) -> Int {
    namedRows.count { row in row[column].map { $0 != wanted } ?? false }
  }
}
