import SyncPostgres

extension Listing {
  /// The rows of a query, each column printed by its type.
  ///
  /// - Parameter flexible: columns of text that a narrow terminal may shorten, besides the usual ones.
  init(
    _ rows: RowSet, emptyMessage: String, envelope: String? = nil, titles: [String: String] = [:],
    flexible: Set<String> = []
  ) {
    self.init(
      columns: rows.columns.map { column in
        Column(
          column.name, title: titles[column.name] ?? column.name.replacing("_", with: " "),
          isFlexible: flexible.contains(column.name) || (column.kind == .text && Self.prose.contains(column.name)))
      },
      rows: rows.rows.map { row in zip(rows.columns, row).map { Cell($1, $0.kind) } },
      emptyMessage: emptyMessage, envelope: envelope)
  }

  /// Texts of any length, which a narrow terminal may shorten; names and ids stay whole.
  private static let prose: Set<String> = [
    "title", "title_english", "title_japanese", "note", "origin", "last_error", "error", "url", "detail", "excerpt",
  ]

  /// Without the columns that a person does not want in a table; other formats keep them.
  func shown(as format: OutputFormat, without hidden: Set<String>) -> Listing {
    guard format == .table else { return self }
    let kept = columns.indices.filter { !hidden.contains(columns[$0].key) }
    return Listing(
      columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { row[$0] } }, emptyMessage: emptyMessage,
      envelope: envelope)
  }
}

extension Cell {
  fileprivate init(_ text: String?, _ kind: RowSet.Kind) {
    guard let text else {
      self = .null
      return
    }
    switch kind {
    case .text: self = .text(text)
    case .integer: self = Int64(text).map { .int($0) } ?? .number(text)
    case .decimal: self = .number(text)
    case .bool: self = .bool(text == "t")
    case .time: self = .time(text)
    case .json: self = .json(text)
    }
  }
}
