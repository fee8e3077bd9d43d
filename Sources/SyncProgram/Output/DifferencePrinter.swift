import SyncCore
import SyncPostgres

/// JSON has the form `{"differences":[…],"checked":{…}}`.
struct DifferencePrinter {
  private var printer: RowPrinter
  /// Whether the reader of the output closed the pipe. The verification continues, and its exit status stays the same.
  private var isClosed = false

  init(_ streams: StandardStreams, _ output: FormatOptions) {
    printer = RowPrinter(streams, output, opening: "{\"differences\":[")
  }

  mutating func print(_ difference: MirrorDifference) throws(OutputError) {
    try unlessClosed { (printer) throws(OutputError) in
      try printer.print(
        Self.listing([difference]), objects: [JSONText.document(difference.json)],
        lines: [TerminalText.safe(Self.words(difference))])
    }
  }

  mutating func finish(checked: String, _ summary: Listing) throws(OutputError) {
    try unlessClosed { (printer) throws(OutputError) in
      try printer.finish(
        summary, closing: "\"checked\":\(checked)}\n", objects: "{\"checked\":\(checked)}\n", none: Self.listing([]))
    }
  }

  private mutating func unlessClosed(_ body: (inout RowPrinter) throws(OutputError) -> Void) throws(OutputError) {
    guard !isClosed else { return }
    do throws(OutputError) {
      try body(&printer)
    } catch  where error.isClosedPipe {
      isClosed = true
    }
  }

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
