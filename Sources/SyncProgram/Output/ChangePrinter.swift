import SyncCore
import SyncPostgres
import Synchronization

/// Prints the changes of a dry run as they are found, and then the runs. JSON has the form
/// `{"dry_run":true,"changes":[…],"runs":[…]}`. In NDJSON, the objects of runs begin with `"dry_run"`.
final class ChangePrinter: Sendable {
  private struct State {
    var printer: RowPrinter
    var failure: OutputError?
  }

  private let streamWidth: Int
  private let state: Mutex<State>

  init(streams: StandardStreams, output: FormatOptions, names: [String]) {
    streamWidth = (names + ["stream"]).map { TerminalText.displayWidth($0) }.max() ?? 0
    state = Mutex(State(printer: RowPrinter(streams, output, opening: "{\"dry_run\":true,\"changes\":[")))
  }

  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// - Throws: `CancellationError` if the output cannot be written.
  func print(_ changes: [PlannedChange]) throws {
    try state.withLock { state in
      guard state.failure == nil else { throw CancellationError() }
      guard !changes.isEmpty else { return }
      do throws(OutputError) {
        let (streams, format) = (state.printer.streams, state.printer.format)
        if format == .table, state.printer.hasHeader, !state.printer.hasBegun {
          let titles = line(
            stream: "stream", change: "change", key: "key", title: "title", columns: "columns", on: streams)
          try streams.print(line: titles, style: .bold)
        }
        let rows = Self.listing(changes)
        try state.printer.print(
          rows, objects: rows.text(as: .ndjson).split(separator: "\n").map { String($0) },
          lines: changes.map { change in
            line(
              stream: change.stream.name, change: change.kind.rawValue, key: String(change.key),
              title: change.title ?? Glyphs.shown("–"),
              columns: change.columns.map(Self.words).joined(separator: ", "), on: streams)
          })
      } catch {
        state.failure = error
        throw CancellationError()
      }
    }
  }

  /// - Returns: `false` if the reader of the output closed the pipe.
  func finish(_ runs: Listing) throws(OutputError) -> Bool {
    do throws(OutputError) {
      try state.withLock { (state) throws(OutputError) in
        if let failure = state.failure { throw failure }
        let lines = runs.text(as: .ndjson).split(separator: "\n")
        // The printer has begun the JSON object already, so the opening brace of the runs' JSON is omitted.
        try state.printer.finish(
          runs, closing: String(runs.text(as: .json).dropFirst()),
          objects: lines.map { "{\"dry_run\":true," + $0.dropFirst() + "\n" }.joined(), none: Self.listing([]))
      }
      return true
    } catch  where error.isClosedPipe {
      return false
    }
  }

  private static let keyWidth = 8
  private static let titleWidth = 36
  private static let valueWidth = 40

  private func line(
    stream: String, change: String, key: String, title: String, columns: String, on streams: StandardStreams
  ) -> String {
    let title = TerminalText.truncate(TerminalText.safe(title), to: Self.titleWidth)
    let fixed = [
      TerminalText.pad(TerminalText.safe(stream), to: streamWidth), TerminalText.pad(change, to: 6),
      TerminalText.pad(key, to: Self.keyWidth, trailing: true),
    ].joined(separator: "  ")
    let line =
      columns.isEmpty ? "\(fixed)  \(title)" : "\(fixed)  \(TerminalText.pad(title, to: Self.titleWidth))  \(columns)"
    return streams.renderingOptions.width.map { TerminalText.truncate(line, to: $0) } ?? line
  }

  private static func words(_ column: PlannedChange.Column) -> String {
    let bounded = { TerminalText.truncate(TerminalText.safe($0), to: valueWidth) }
    let (from, to) = (bounded(column.from), bounded(column.to))
    let name = TerminalText.safe(column.name)
    return column.from == column.to ? "\(name): \(to)" : "\(name): \(from) \(Glyphs.shown("→")) \(to)"
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
}
