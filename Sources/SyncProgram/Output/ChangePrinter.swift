import SyncCore
import Synchronization

/// Prints what a run would change while the dry run finds it out: a million changes need no memory.
///
/// ```
/// table    a line per change, and the runs below
/// json     {"dry_run":true,"changes":[…],"runs":[…]}
/// ndjson   an object per change, then one per run, which begins with "dry_run"
/// csv      a record per change; the runs on standard error
/// ```
final class ChangePrinter: Sendable {
  private struct State {
    var hasBegun = false
    /// The last object of an array, which needs a comma if another one follows.
    var held: String?
    var failure: OutputError?
  }

  private let streams: StandardStreams
  private let format: OutputFormat
  private let hasHeader: Bool
  private let streamWidth: Int
  private let state = Mutex(State())

  /// - Parameter names: the streams whose changes will be printed.
  init(streams: StandardStreams, output: FormatOptions, names: [String]) {
    self.streams = streams
    format = output.format
    hasHeader = !output.noHeader
    streamWidth = (names + ["stream"]).map { TerminalText.displayWidth($0) }.max() ?? 0
  }

  /// The output cannot be written any more, mostly because the reader has ended.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// - Throws: `CancellationError` when the output cannot be written, because continuing is useless.
  func print(_ changes: [PlannedChange]) throws {
    try state.withLock { state in
      guard state.failure == nil else { throw CancellationError() }
      do throws(OutputError) {
        switch format {
        case .table: try printLines(changes, &state)
        case .json: try printMembers(changes, &state)
        case .ndjson: try streams.print(rendered: Self.rendered(changes, as: .ndjson).joined())
        case .csv: try printRecords(changes, &state)
        }
      } catch {
        state.failure = error
        throw CancellationError()
      }
    }
  }

  /// Prints the part after the changes.
  ///
  /// - Parameter runs: the summary of the runs.
  /// - Returns: false if the reader has ended.
  func finish(_ runs: Listing) throws(OutputError) -> Bool {
    do throws(OutputError) {
      try state.withLock { (state) throws(OutputError) in
        if let failure = state.failure { throw failure }
        try printRuns(runs, &state)
      }
      return true
    } catch  where error.isClosedPipe {
      return false
    }
  }

  private func printRuns(_ runs: Listing, _ state: inout State) throws(OutputError) {
    switch format {
    case .table:
      if state.hasBegun { try streams.print(rendered: "\n") }
      try streams.print(runs, as: .table, hasHeader: hasHeader)
    case .json:
      var text = state.hasBegun ? "" : Self.opening
      if let held = state.held { text += "\n  " + held + "\n" }
      text += "],"
      // The object of the listing without its opening brace, to continue an open object.
      try streams.print(rendered: text + Self.text(of: runs, as: .json).dropFirst())
    case .ndjson:
      let lines = Self.text(of: runs, as: .ndjson).split(separator: "\n")
      try streams.print(rendered: lines.map { "{\"dry_run\":true," + $0.dropFirst() + "\n" }.joined())
    case .csv:
      if !state.hasBegun { try streams.print(Self.listing([]), as: .csv, hasHeader: hasHeader) }
      for line in Self.text(of: runs, as: .table).split(separator: "\n") { streams.note(String(line)) }
    }
  }
}

// MARK: One form each

extension ChangePrinter {
  private static let opening = "{\"dry_run\":true,\"changes\":["
  private static let keyWidth = 8
  private static let titleWidth = 36
  /// What a table shows of a value; the other forms have all of it.
  private static let valueWidth = 40

  private func printLines(_ changes: [PlannedChange], _ state: inout State) throws(OutputError) {
    if !state.hasBegun {
      state.hasBegun = true
      let titles = line("stream", "change", "key", "title", "columns")
      if hasHeader { try streams.print(line: titles, style: .bold) }
    }
    let lines = changes.map { change in
      line(
        change.stream.name, change.kind.rawValue, String(change.key), change.title ?? "–",
        change.columns.map(Self.words).joined(separator: ", "))
    }
    try streams.print(rendered: lines.map { $0 + "\n" }.joined())
  }

  private func line(_ stream: String, _ change: String, _ key: String, _ title: String, _ columns: String) -> String {
    let title = TerminalText.truncate(TerminalText.safe(title), to: Self.titleWidth)
    let fixed = [
      TerminalText.pad(TerminalText.safe(stream), to: streamWidth), TerminalText.pad(change, to: 6),
      TerminalText.pad(key, to: Self.keyWidth, trailing: true),
    ].joined(separator: "  ")
    let line =
      columns.isEmpty
      ? "\(fixed)  \(title)" : "\(fixed)  \(TerminalText.pad(title, to: Self.titleWidth))  \(columns)"
    return streams.renderingOptions.width.map { TerminalText.truncate(line, to: $0) } ?? line
  }

  /// For a column whose values are equal: that it differs; `raw` names the differences within it.
  private static func words(_ column: PlannedChange.Column) -> String {
    let bounded = { TerminalText.truncate(TerminalText.safe($0), to: valueWidth) }
    let (from, to) = (bounded(column.from), bounded(column.to))
    let name = TerminalText.safe(column.name)
    return column.from == column.to ? "\(name): \(to)" : "\(name): \(from) → \(to)"
  }

  private func printMembers(_ changes: [PlannedChange], _ state: inout State) throws(OutputError) {
    var text = ""
    for line in Self.rendered(changes, as: .ndjson) {
      if !state.hasBegun {
        text += Self.opening
        state.hasBegun = true
      }
      if let held = state.held { text += "\n  " + held + "," }
      state.held = String(line.dropLast())
    }
    try streams.print(rendered: text)
  }

  private func printRecords(_ changes: [PlannedChange], _ state: inout State) throws(OutputError) {
    var options = streams.renderingOptions
    options.hasHeader = hasHeader && !state.hasBegun
    try streams.print(rendered: Self.rendered(changes, as: .csv, options).joined())
    state.hasBegun = true
  }

  /// Line by line.
  private static func rendered(
    _ changes: [PlannedChange], as format: OutputFormat, _ options: RenderingOptions = .piped
  ) -> [String] {
    var lines: [String] = []
    listing(changes).render(as: format, options: options) { lines.append($0) }
    return lines
  }

  private static func listing(_ changes: [PlannedChange]) -> Listing {
    Listing(
      columns: ["stream", "change", "key", "title", "columns"].map { Column($0) },
      rows: changes.map { change in
        let columns = change.columns.map { column in
          "\(JSONText.string(column.name)):{\"from\":\(column.from),\"to\":\(column.to)}"
        }
        return [
          .text(change.stream.name), .text(change.kind.rawValue), .int(change.key),
          change.title.map { .text($0) } ?? .null, .json("{" + columns.joined(separator: ",") + "}"),
        ]
      }, emptyMessage: "")
  }

  private static func text(of listing: Listing, as format: OutputFormat) -> String {
    var text = ""
    listing.render(as: format, options: .piped) { text += $0 }
    return text
  }
}
