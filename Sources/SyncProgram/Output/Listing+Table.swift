import Foundation
import SyncPostgres

extension Listing {
  private static let separator = "  "
  private static let narrowestWrap = 12
  /// Words up to this width are broken only after all columns of `layout.leaving` were omitted.
  private static let widestWord = 32
  /// The minimum width of the column `layout.below`. If this width does not fit, the texts move below the rows.
  private static let narrowestBeside = 40
  private static let narrowestCut = 3

  func renderTable<Failure: Error>(options: RenderingOptions, emit: (String) throws(Failure) -> Void) throws(Failure) {
    for line in heading?(options.width) ?? [] {
      let safe = TerminalText.safe(line)
      try emit((options.hasLinks ? Hyperlink.atEnd(of: safe) : safe) + "\n")
    }
    if rows.isEmpty { return }
    let plan = plan(options)
    let trailing = plan.places.map { plan.trailing.contains($0) }
    if options.hasHeader {
      let header = Self.line(plan.places.map { TerminalText.safe(columns[$0].title) }, plan.widths, trailing)
      try emit(options.hasColour ? "\u{1B}[1;4m" + header + "\u{1B}[0m\n" : header + "\n")
    }
    for (heading, rows) in sections {
      if let heading { try emit(options.hasColour ? "\u{1B}[1m\(heading)\u{1B}[0m\n" : heading + "\n") }
      for row in rows {
        let links = plan.places.map { options.hasLinks ? link(of: row, at: $0) : nil }
        for cells in lines(of: row, plan, options) { try emit(Self.line(cells, plan.widths, trailing, links) + "\n") }
        guard let below = plan.below, row[below] != .null else { continue }
        let text = text(row[below], columns[below], options)
        for line in TextLayout.advice(text, to: options.width.map { $0 - 2 }) { try emit("  \(line)\n") }
      }
    }
  }

  private var sections: [(heading: String?, rows: any Sequence<[Cell]>)] {
    guard let place = columns.firstIndex(where: { $0.key == layout.sectionKey }) else { return [(nil, rows)] }
    return layout.sections.compactMap { section in
      let rows = rows.filter { $0[place] == .text(section) }
      let total = sectionTotals[section] ?? rows.count
      return total == 0 ? nil : ("\(section) (\(HumanFormat.count(total)))", rows)
    }
  }

  /// A title links to the URL in its row. A URL links to itself, even if it is cut.
  private func link(of row: [Cell], at place: Int) -> Hyperlink? {
    let source = columns[place].title == "title" ? columns.firstIndex { $0.key == "url" } : place
    guard let source, case .text(let address) = row[source] else { return nil }
    return Hyperlink(address)
  }

  private func lines(of row: [Cell], _ plan: Plan, _ options: RenderingOptions) -> [[String]] {
    let texts = zip(plan.places, plan.widths).map { place, width -> [String] in
      let text = text(row[place], columns[place], options)
      return columns[place].fit == .wrapped ? TextLayout.advice(text, to: width) : [text]
    }
    let count = texts.map(\.count).max() ?? 0
    return (0..<count).map { line in texts.map { line < $0.count ? $0[line] : "" } }
  }

  private static func line(
    _ cells: [String], _ widths: [Int], _ trailing: [Bool], _ links: [Hyperlink?] = []
  ) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += separator }
      let text = TerminalText.truncate(cell, to: widths[index])
      let padded = TerminalText.pad(text, to: widths[index], trailing: trailing[index])
      if let link = links.dropFirst(index).first ?? nil, !trailing[index] {
        line += link.around(text) + padded.dropFirst(text.count)
      } else {
        line += padded
      }
    }
    return TerminalText.trimmed(line)
  }

  func text(_ cell: Cell, _ column: Column, _ options: RenderingOptions) -> String {
    switch column.readable(cell) {
    case .text(let text), .literal(let text), .number(let text), .json(let text): TerminalText.safe(text)
    case .time(let text):
      if let now = options.now, !column.isExact, let then = Timestamp.seconds(text) {
        HumanFormat.age(of: then, now: now)
      } else {
        TerminalText.safe(column.hasFractions ? text : TimeText.wholeSecond(text))
      }
    case .int(let value): String(value)
    case .bool(let value): value ? "yes" : "no"
    case .null: Glyphs.shown("–")
    }
  }

  /// The columns that have values, and those whose values are all numbers.
  private struct Contents {
    var filled: Set<Int> = []
    var numbers: Set<Int> = []
    var texts: Set<Int> = []

    mutating func note(_ row: [Cell]) {
      for (place, cell) in row.enumerated() where cell != .null {
        filled.insert(place)
        switch cell {
        case .int, .number: numbers.insert(place)
        default: texts.insert(place)
        }
      }
    }
  }

  /// Reads all rows once. Returns the columns that the layout shows, and those that are aligned on the right.
  func measure(_ each: ([Cell]) -> Void = { _ in }) -> (places: [Int], trailing: Set<Int>) {
    var contents = Contents()
    for row in rows {
      contents.note(row)
      each(row)
    }
    let places = columns.indices.filter { place in
      let key = columns[place].key
      return !layout.hidden.contains(key) && (contents.filled.contains(place) || !layout.hiddenIfEmpty.contains(key))
    }
    let trailing = columns.indices.filter { place in
      switch columns[place].alignment {
      case .leading: false
      case .trailing: true
      case .automatic: contents.numbers.contains(place) && !contents.texts.contains(place)
      }
    }
    return (places, Set(trailing))
  }

  private struct Plan {
    var places: [Int]
    var widths: [Int]
    var trailing: Set<Int>
    var below: Int?
  }

  /// If the table is too wide, columns are omitted until the others fit at their minimum widths. Then the widest
  /// columns are narrowed until the table fits.
  private func plan(_ options: RenderingOptions) -> Plan {
    let candidates = columns.indices.filter { !layout.hidden.contains(columns[$0].key) }
    var natural = columns.map { options.hasHeader ? TerminalText.displayWidth(TerminalText.safe($0.title)) : 0 }
    let headings = natural
    var words = columns.map { _ in Self.narrowestWrap }
    var (places, trailing) = measure { row in
      for place in candidates {
        let text = text(row[place], columns[place], options)
        natural[place] = max(natural[place], TerminalText.displayWidth(text))
        if columns[place].fit == .wrapped { words[place] = max(words[place], TextLayout.widestPart(of: text)) }
      }
    }
    guard let limit = options.width else {
      return Plan(places: places, widths: places.map { natural[$0] }, trailing: trailing)
    }
    var least = columns.indices.map { place in
      switch columns[place].fit {
      case .whole: natural[place]
      case .cut(let least): min(natural[place], max(least, headings[place]))
      case .wrapped: min(natural[place], max(min(words[place], Self.widestWord), headings[place]))
      }
    }
    func excess(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.separator.utf8.count * (widths.count - 1) - limit }
    let below: Int? = places.first { columns[$0].key == layout.below }.flatMap { below in
      least[below] = min(natural[below], Self.narrowestBeside)
      return excess(places.map { least[$0] }) > 0 ? below : nil
    }
    places.removeAll { $0 == below }
    for group in layout.leaving where excess(places.map { least[$0] }) > 0 {
      places.removeAll { group.contains(columns[$0].key) }
    }
    if excess(places.map { least[$0] }) > 0 {
      for place in places where columns[place].fit == .wrapped {
        least[place] = min(least[place], max(Self.narrowestWrap, headings[place]))
      }
    }
    if layout.keepsAll {
      if excess(places.map { least[$0] }) > 0 { least = natural.map { min($0, Self.narrowestCut) } }
    } else {
      while places.count > 1, excess(places.map { least[$0] }) > 0 { places.removeLast() }
    }
    var widths = places.map { natural[$0] }
    var surplus = excess(widths)
    while surplus > 0 {
      let narrowed = widths.indices.filter { widths[$0] > least[places[$0]] }.max { widths[$0] < widths[$1] }
      guard let place = narrowed ?? widths.indices.first(where: { widths[$0] > 1 }) else { break }
      widths[place] -= 1
      surplus -= 1
    }
    return Plan(places: places, widths: widths, trailing: trailing, below: below)
  }
}

enum Timestamp {
  /// Returns seconds since 1970 for a UTC time in ISO 8601; `nil` for any other text, and for years before Christ.
  static func seconds(_ text: String) -> Int64? {
    // Foundation ignores text after the time: it would read `0044-03-15T10:00:00Z BC` as a time in the year 44.
    guard text.hasSuffix("Z") else { return nil }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    return (try? Date(text, strategy: style)).map { Int64($0.timeIntervalSince1970) }
  }
}
