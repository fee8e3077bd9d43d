/// The table: columns that line up, wide characters included.
extension Listing {
  private static let separator = "  "
  /// A flexible column is never narrower than this, whatever the terminal.
  private static let minimumFlexibleWidth = 6

  /// A header and one line per row; nothing at all without rows.
  func renderTable<Failure: Error>(
    options: RenderingOptions, emit: (String) throws(Failure) -> Void
  ) throws(Failure) {
    if rows.isEmpty { return }
    let titles = columns.map { TerminalText.safe($0.title) }
    let widths = fittedWidths(titles: titles, limit: options.width)
    let trailing = columns.indices.map(isTrailing)
    let header = Self.line(titles, widths: widths, trailing: trailing)
    try emit(options.hasColour ? "\u{1B}[1;4m" + header + "\u{1B}[0m\n" : header + "\n")
    for row in rows {
      try emit(Self.line(row.map(Self.tableText), widths: widths, trailing: trailing) + "\n")
    }
  }

  private static func line(_ cells: [String], widths: [Int], trailing: [Bool]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += separator }
      let text = TerminalText.truncate(cell, to: widths[index])
      // No spaces at the end of a line: they wrap, and they show up in diffs.
      let isLast = index == cells.count - 1
      line += isLast && !trailing[index] ? text : TerminalText.pad(text, to: widths[index], trailing: trailing[index])
    }
    return line
  }

  private static func tableText(_ cell: Cell) -> String {
    switch cell {
    case .text(let text), .number(let text), .time(let text), .json(let text): TerminalText.safe(text)
    case .int(let value): String(value)
    case .bool(let value): value ? "yes" : "no"
    case .null: "–"
    }
  }

  private func isTrailing(_ index: Int) -> Bool {
    switch columns[index].alignment {
    case .leading: return false
    case .trailing: return true
    case .automatic:
      var sawNumber = false
      for row in rows {
        switch row[index] {
        case .int, .number: sawNumber = true
        case .null: continue
        default: return false
        }
      }
      return sawNumber
    }
  }

  /// The width that the table takes with its flexible columns no wider than `flexible`.
  func narrowestWidth(flexible: Int) -> Int {
    let widths = columns.indices.map { index in
      let cells = rows.map { TerminalText.displayWidth(Self.tableText($0[index])) }
      let width = max(TerminalText.displayWidth(TerminalText.safe(columns[index].title)), cells.max() ?? 0)
      return columns[index].isFlexible ? min(width, flexible) : width
    }
    return widths.reduce(0, +) + Self.separator.utf8.count * max(0, columns.count - 1)
  }

  /// The natural widths, with the widest flexible columns lowered to one common level until the line fits.
  ///
  /// Columns that may not be shortened keep their width even when the line then wraps: a cut id is worthless.
  private func fittedWidths(titles: [String], limit: Int?) -> [Int] {
    var widths = titles.map { TerminalText.displayWidth($0) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], TerminalText.displayWidth(Self.tableText(cell)))
      }
    }
    guard let limit else { return widths }
    let flexible = columns.indices.filter { columns[$0].isFlexible }
    var excess = widths.reduce(0, +) + Self.separator.utf8.count * (columns.count - 1) - limit
    while excess > 0 {
      let level = flexible.map { widths[$0] }.max() ?? 0
      if level <= Self.minimumFlexibleWidth { break }
      let widest = flexible.filter { widths[$0] == level }
      let next = flexible.map { widths[$0] }.filter { $0 < level }.max() ?? 0
      let floor = max(next, Self.minimumFlexibleWidth)
      let step = min(level - floor, max(1, excess / widest.count))
      for index in widest where excess > 0 {
        let cut = min(step, excess)
        widths[index] -= cut
        excess -= cut
      }
    }
    return widths
  }
}
