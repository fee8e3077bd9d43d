package import SyncPostgres

extension Listing {
  /// Creates a listing of a query's rows, with their totals. Types of columns determine the forms of values.
  ///
  /// Each set has names of columns of `rows`. A title is the column's name with blanks for underscores, unless `titles`
  /// has another one.
  /// - Parameters:
  ///   - envelope: The member of a JSON object that has the rows; `nil` for a bare array.
  ///   - titles: The titles in tables, by the names of columns.
  ///   - cut: Columns whose texts tables can shorten, besides columns with usual names such as `title` or `note`.
  ///   - whole: Columns whose texts tables never shorten or break.
  ///   - exact: Columns whose times tables show as times, not as ages.
  ///   - hasFractions: Whether tables show fractions of seconds.
  package init(
    _ rows: RowSet, emptyMessage: String, envelope: String? = nil, titles: [String: String] = [:],
    cut: Set<String> = [], whole: Set<String> = [], exact: Set<String> = [], hasFractions: Bool = false
  ) {
    self.init(
      columns: rows.columns.map { column in
        let title = titles[column.name] ?? column.name.replacing("_", with: " ")
        let isText = (column.type == .text || column.type == .json) && !whole.contains(column.name)
        return Column(
          column.name, title: title, fit: isText ? Self.fit(of: column.name, title, cut) : .whole,
          isExact: exact.contains(column.name), hasFractions: hasFractions)
      },
      rows: rows.rows.mapped { [types = rows.columns.map(\.type)] row in zip(types, row).map { Cell($1, $0) } },
      emptyMessage: emptyMessage, envelope: envelope)
    total = rows.total
    sectionTotals = rows.sectionTotals
  }

  private static func fit(of name: String, _ title: String, _ cut: Set<String>) -> Column.Fit {
    if title == "title" { return .title }
    if name == "stream" { return .cut(least: 16) }
    if ["certificate", "error", "warning"].contains(name) { return .wrapped }
    return cut.contains(name) || prose.contains(name) ? .text : .whole
  }

  private static let prose: Set<String> = [
    "title_english", "title_japanese", "note", "origin", "last_error", "url", "detail", "excerpt",
  ]
}

extension Cell {
  fileprivate init(_ text: String?, _ type: RowSet.CellType) {
    guard let text else {
      self = .null
      return
    }
    switch type {
    case .text: self = .text(text)
    case .integer: self = Int64(text).map { .int($0) } ?? .number(text)
    case .decimal: self = .number(text)
    case .bool: self = .bool(text == "t")
    case .time: self = .time(text)
    case .literal: self = .literal(text)
    case .json: self = .json(text)
    }
  }
}
