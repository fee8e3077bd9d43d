/// Prints rows as they are found, and then a summary. For CSV, the summary goes to standard error.
struct RowPrinter: Sendable {
  let streams: StandardStreams
  let format: OutputFormat
  let hasHeader: Bool
  let opening: String
  private(set) var hasBegun = false

  init(_ streams: StandardStreams, _ output: FormatOptions, opening: String) {
    self.streams = streams
    format = output.format
    hasHeader = !output.noHeader
    self.opening = opening
  }

  mutating func print(
    _ rows: @autoclosure () -> Listing, objects: @autoclosure () -> [String], lines: @autoclosure () -> [String]
  ) throws(OutputError) {
    switch format {
    case .table: try streams.print(rendered: lines().map { $0 + "\n" }.joined())
    case .json:
      try streams.print(rendered: (hasBegun ? ",\n  " : opening + "\n  ") + objects().joined(separator: ",\n  "))
    case .ndjson: try streams.print(rendered: objects().map { $0 + "\n" }.joined())
    case .csv:
      var options = streams.renderingOptions
      options.hasHeader = hasHeader && !hasBegun
      try streams.print(rendered: rows().text(as: .csv, options))
    }
    hasBegun = true
  }

  func finish(_ summary: Listing, closing: String, objects: String, none: Listing) throws(OutputError) {
    switch format {
    case .table:
      if hasBegun { try streams.print(rendered: "\n") }
      try streams.print(summary, as: .table, hasHeader: hasHeader)
    case .json: try streams.print(rendered: (hasBegun ? "\n" : opening) + "]," + closing)
    case .ndjson: try streams.print(rendered: objects)
    case .csv:
      if !hasBegun { try streams.print(none, as: .csv, hasHeader: hasHeader) }
      // The lines have the values of CSV, not those for readers.
      for line in summary.form(in: .csv).text(as: .table).split(separator: "\n") { streams.note(String(line)) }
    }
  }
}

extension Listing {
  func text(as format: OutputFormat, _ options: RenderingOptions = .piped) -> String {
    var text = ""
    render(as: format, options: options) { text += $0 }
    return text
  }
}
