import SyncCore
import SyncPostgres

/// Prints what a verification finds while it finds it: a million differences need no memory.
///
/// ```
/// table    a line per difference, and the summary below
/// json     {"differences":[…],"checked":{…}}
/// ndjson   an object per difference, then {"checked":{…}}
/// csv      a record per difference; the summary on standard error
/// ```
struct DifferencePrinter {
  private let streams: StandardStreams
  private let output: FormatOptions
  private var hasBegun = false
  /// The reader has ended. That does not end the work: a repair is finished, and the status still tells.
  private var isClosed = false

  init(_ streams: StandardStreams, _ output: FormatOptions) {
    self.streams = streams
    self.output = output
  }

  mutating func print(_ difference: MirrorDifference) throws(OutputError) {
    try unlessClosed { (printer) throws(OutputError) in try printer.write(difference) }
  }

  private mutating func unlessClosed(
    _ body: (inout DifferencePrinter) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard !isClosed else { return }
    do throws(OutputError) {
      try body(&self)
    } catch  where error.isClosedPipe {
      isClosed = true
    }
  }

  private mutating func write(_ difference: MirrorDifference) throws(OutputError) {
    switch output.format {
    case .table: try streams.print(line: Self.words(difference))
    case .json:
      let opening = hasBegun ? ",\n  " : Self.opening + "\n  "
      try streams.print(rendered: opening + JSONText.document(difference.json))
    case .ndjson: try streams.print(rendered: JSONText.document(difference.json) + "\n")
    case .csv:
      try streams.print(Self.listing([difference]), as: .csv, hasHeader: !output.noHeader && !hasBegun)
    }
    hasBegun = true
  }

  /// Prints the part after the differences.
  ///
  /// - Parameters:
  ///   - checked: how much was compared, as JSON.
  ///   - summary: the same for people.
  mutating func finish(checked: String, _ summary: Listing) throws(OutputError) {
    try unlessClosed { (printer) throws(OutputError) in try printer.writeEnd(checked: checked, summary) }
  }

  private func writeEnd(checked: String, _ summary: Listing) throws(OutputError) {
    switch output.format {
    case .table:
      if hasBegun { try streams.print(rendered: "\n") }
      try streams.print(summary, as: .table, hasHeader: !output.noHeader)
    case .json:
      try streams.print(rendered: (hasBegun ? "\n" : Self.opening) + "],\"checked\":\(checked)}\n")
    case .ndjson: try streams.print(rendered: "{\"checked\":\(checked)}\n")
    case .csv:
      if !hasBegun { try streams.print(Self.listing([]), as: .csv, hasHeader: !output.noHeader) }
      var text = ""
      summary.render(as: .table, options: .piped) { text += $0 }
      for line in text.split(separator: "\n") { streams.note(String(line)) }
    }
  }

  private static let opening = "{\"differences\":["

  /// Values are shown in part; the other forms have all of them.
  private static func words(_ difference: MirrorDifference) -> String {
    let shown = { TerminalText.truncate(TerminalText.safe($0), to: 60) }
    let key = difference.key.dropFirst().dropLast().replacing(#/"([a-z_]+)": /#) { "\($0.output.1)=" }
    let row = "\(difference.table) \(key)"
    guard let column = difference.column else {
      return difference.stored == nil ? "\(row): the row is missing" : "\(row): the row should not be there"
    }
    let expected = difference.expected.map { ", expected \(shown($0))" } ?? ""
    return "\(row) \(column): \(shown(difference.stored ?? "null"))\(expected)"
  }

  private static func listing(_ differences: [MirrorDifference]) -> Listing {
    Listing(
      columns: ["table", "key", "column", "stored", "expected"].map { Column($0) },
      rows: differences.map { difference in
        [
          .text(difference.table), .json(difference.key), difference.column.map { .text($0) } ?? .null,
          difference.stored.map { .json($0) } ?? .null, difference.expected.map { .json($0) } ?? .null,
        ]
      }, emptyMessage: "")
  }
}
