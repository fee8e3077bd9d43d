import ArgumentParser
import SyncCore
import SyncPostgres

/// The options `--format`, `--columns` and `--no-header` of commands that print a listing.
package struct FormatOptions: ParsableArguments {
  @Option(name: [.customLong("format"), .customShort("o")], help: "Output format (default: table).")
  var named: OutputFormat?

  @Flag(exclusivity: .exclusive, help: .hidden)
  var shorthand: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "Only these columns, by their names in JSON or in the table's header, in this order.", valueName: "a,b,c"))
  var columns: ColumnChoice?

  @Flag(help: "Omit the header line of tables and CSV.")
  package var noHeader = false

  package init() {}

  /// The format that the user chose; `nil` without a choice. `--format` has precedence over `--json` and the like.
  var chosen: OutputFormat? { named ?? shorthand }

  package var format: OutputFormat { chosen ?? .table }

  /// The format whose form of a listing is printed. A table with `--columns` has the columns and values of CSV.
  package var shape: OutputFormat { format == .table && columns != nil ? .csv : format }

  var isOpen: Bool { chosen == nil && columns == nil && !noHeader }

  func check(_ listing: Listing) throws(SyncError) {
    if let columns { _ = try listing.choosing(columns) }
  }
}

/// The flags of the formats are `--table`, `--json`, `--ndjson` and `--csv`.
extension OutputFormat: ExpressibleByArgument, EnumerableFlag {}

/// The option `--no-plot` of commands whose listing has a drawing.
package struct PlotOptions: ParsableArguments {
  @Flag(help: "Print rows instead of a plot.")
  var noPlot = false

  package init() {}
}

struct ColumnChoice: ExpressibleByArgument, Equatable {
  let keys: [String]

  init?(argument: String) {
    keys = argument.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }.distinct()
    if keys.isEmpty { return nil }
  }
}

extension Listing {
  private static func word(_ title: String) -> String { title.lowercased().replacing(" ", with: "_") }

  func choosing(_ choice: ColumnChoice) throws(SyncError) -> Listing {
    var indexes: [Int] = []
    for key in choice.keys {
      let found =
        columns.firstIndex { $0.key == key } ?? columns.firstIndex { Self.word($0.title) == Self.word(key) }
      guard let index = found else {
        throw SyncError.unknown("column", key, columns.map(\.key))
      }
      indexes.append(index)
    }
    var listing = Listing(
      columns: indexes.map { columns[$0] }, rows: rows.mapped { [indexes] row in indexes.map { row[$0] } },
      emptyMessage: emptyMessage, envelope: envelope)
    listing.layout.keepsAll = true
    return listing
  }
}

extension StandardStreams {
  /// Prints the listing in the chosen format, or its drawing.
  ///
  /// The drawing is printed only if the user gave none of the output options and the listing has rows. In a pipe, it is
  /// printed only if the listing allows drawings in pipes.
  ///
  /// - Throws: `OutputError`, or `SyncError` `.usage` if the listing does not have a column of `--columns`.
  package func print(_ listing: Listing, _ output: FormatOptions) throws {
    if output.isOpen, self.output.isTerminal || listing.isDrawnInPipes, !listing.rows.isEmpty,
      let drawing = listing.drawing
    {
      return try print(drawing(listing.isDrawnInPipes ? renderingOptions.width ?? .max : plotWidth))
    }
    let form = listing.form(in: output.shape)
    if let introduction = form.introduction { note(introduction) }
    let chosen = try output.columns.map { (choice) throws(SyncError) in try form.choosing(choice) } ?? form
    try print(chosen, as: output.format, hasHeader: !output.noHeader)
  }

  /// Notes the hints of a listing that was printed as a table.
  func noteHints(of listing: Listing, _ output: FormatOptions) {
    guard output.format == .table else { return }
    for hint in listing.form(in: output.shape).hints { note(hint) }
  }

  /// Prints like `print(_:_:)`, but returns normally if the reader has closed the pipe.
  ///
  /// The caller can then still print its messages and exit with the status of its work.
  package func printUnlessClosed(_ listing: Listing, _ output: FormatOptions) throws {
    do {
      try print(listing, output)
    } catch let error as OutputError where error.isClosedPipe {
      return
    }
  }
}
