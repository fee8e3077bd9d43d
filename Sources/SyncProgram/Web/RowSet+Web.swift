import SyncPostgres

extension RowSet {
  /// The rows for other machines, without runs of one-off searches, whose streams contain the user's words, and without
  /// errors, which can name the database and its user.
  func shared(with configuration: Configuration) -> RowSet {
    let errors = columns.indices.filter { ["error", "last_error", "warning"].contains(columns[$0].name) }
    let kept = zip(rows, namedRows).filter { _, named in
      !configuration.isOneOff(StreamName(source: named["source"] ?? "", name: named["stream"] ?? ""))
    }
    let rows = kept.map { row, _ in
      var row = row
      for error in errors { row[error] = nil }
      return row
    }
    return RowSet(columns: columns, rows: rows)
  }
}
