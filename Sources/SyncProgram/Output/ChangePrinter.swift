import SyncCore
import SyncPostgres
import Synchronization

/// Prints the changes of a dry run as they are found, and then the runs. JSON has the form
/// `{"dry_run":true,"changes":[…],"runs":[…]}`. In NDJSON, the objects of runs begin with `"dry_run"`.
final class ChangePrinter: Sendable {
  private struct Progress {
    var printer: RowPrinter
    var failure: OutputError?
  }

  private let streamWidth: Int
  private let progress: Mutex<Progress>

  init(streams: StandardStreams, output: FormatOptions, names: [String]) {
    streamWidth = (names + ["stream"]).map { TerminalText.displayWidth($0) }.max() ?? 0
    progress = Mutex(Progress(printer: RowPrinter(streams, output, opening: "{\"dry_run\":true,\"changes\":[")))
  }

  var hasFailed: Bool { progress.withLock { $0.failure != nil } }

  /// - Throws: `CancellationError` if the output cannot be written.
  func print(_ changes: [PlannedChange]) throws {
    try progress.withLock { progress in
      guard progress.failure == nil else { throw CancellationError() }
      guard !changes.isEmpty else { return }
      do throws(OutputError) {
        let (streams, format) = (progress.printer.streams, progress.printer.format)
        if format == .table, progress.printer.hasHeader, !progress.printer.hasBegun {
          let titles = line(
            stream: "stream", change: "change", key: "key", title: "title", columns: "columns", on: streams)
          try streams.print(line: titles, style: .bold)
        }
        let rows = Self.listing(changes)
        try progress.printer.print(
          rows, objects: rows.text(as: .ndjson).split(separator: "\n").map { String($0) },
          lines: changes.map { change in
            line(
              stream: change.stream.name, change: change.operation.rawValue, key: String(change.key),
              title: change.title ?? Glyphs.shown("–"),
              columns: change.columns.map(Self.words).joined(separator: ", "), on: streams)
          })
      } catch {
        progress.failure = error
        throw CancellationError()
      }
    }
  }

  /// - Returns: `false` if the reader of the output closed the pipe.
  func finish(_ runs: Listing) throws(OutputError) -> Bool {
    do throws(OutputError) {
      try progress.withLock { (progress) throws(OutputError) in
        if let failure = progress.failure { throw failure }
        let lines = runs.text(as: .ndjson).split(separator: "\n")
        // The printer has begun the JSON object already, so the opening brace of the runs' JSON is omitted.
        try progress.printer.finish(
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
          .text(change.stream.name), .text(change.operation.rawValue), .int(change.key),
          change.title.map { .text($0) } ?? .null, .json("{" + columns.joined(separator: ",") + "}"),
        ]
      }, emptyMessage: "")
  }
}
