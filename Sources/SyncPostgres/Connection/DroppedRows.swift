import LibPQ
import SyncCore

extension SyncError {
  /// The error of a table that did not store all rows.
  /// - Parameter count: The number of missing rows, if it is known.
  static func droppedRows(of table: String, count: Int? = nil) -> SyncError {
    let rows = count.map { $0 == 1 ? "a row that was" : "\($0) rows that were" } ?? "all rows that were"
    return SyncError(
      .configuration,
      "\(table) does not contain \(rows) written to it: a trigger, rule or policy on the table changes syncctl's writes",
      hint: "drop or disable it (\\d \(table) in syncctl db psql lists them), then run again", disposition: .stopRun)
  }
}

extension PGResult {
  func refuseDropped() throws {
    guard let column = columnNames.firstIndex(of: "dropped_by") else { return }
    let table = try first { try $0.text(column) } ?? nil
    if let table { throw SyncError.droppedRows(of: table) }
  }
}

extension PGConnection {
  borrowing func writeRow(to table: String, _ sql: SQL, _ parameters: [PGParameter]) throws {
    guard try query(sql, parameters).affectedRows == 1 else { throw SyncError.droppedRows(of: table, count: 1) }
  }
}
