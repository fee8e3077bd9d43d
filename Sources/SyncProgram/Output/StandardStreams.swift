import Foundation
import Synchronization

/// Prints data to standard output, and messages to standard error. Escapes unsafe characters in every text.
package final class StandardStreams: Sendable {
  /// Standard output or standard error, and the abilities of its terminal.
  package struct Channel: Sendable {
    var descriptor: Int32
    package var isTerminal = false
    var hasColour = false
    var hasLinks = false
    var canRedraw = false
    var fixedColumns: Int?
    var size: @Sendable () -> TerminalSize? = { nil }
  }

  private struct Display: Sendable {
    var block = TransientBlock()
    var lines: [String] = []
  }

  package let output: Channel
  package let error: Channel
  private let pagerCommand: String?
  private let display = Mutex(Display())
  private let pager = Mutex<Pager?>(nil)
  private static let chunkBytes = 65_536
  private static let defaultSize = TerminalSize(columns: 80, rows: 24)

  init(output: Channel, error: Channel, pager: String? = nil) {
    self.output = output
    self.error = error
    pagerCommand = pager
  }

  /// Creates the streams of this process (descriptors 1 and 2). `environment` returns a variable's value; with the
  /// terminals, it determines colours, links, width and pager.
  package convenience init(environment: (String) -> String? = SystemTerminal.environment) {
    let output = Channel(descriptor: 1, environment)
    self.init(
      output: output, error: Channel(descriptor: 2, environment),
      pager: output.canRedraw ? Pager.command(environment) : nil)
  }

  /// Prints the listing's form in this format to standard output. For a table without rows, notes `emptyMessage`.
  ///
  /// - Parameter guardsFormulas: Whether CSV has an apostrophe before texts that spreadsheets would run as formulas.
  package func print(
    _ listing: Listing, as format: OutputFormat, hasHeader: Bool = true, guardsFormulas: Bool = true
  ) throws(OutputError) {
    var options = renderingOptions
    options.hasHeader = hasHeader
    options.guardsFormulas = guardsFormulas

    let form = listing.form(in: format)
    let isEmptyTable = format == .table && form.rows.isEmpty
    if !isEmptyTable || form.heading != nil { try write(form, as: format, options) }
    if isEmptyTable, !form.emptyMessage.isEmpty { note(form.emptyMessage) }
  }

  private func write(
    _ form: Listing, as format: OutputFormat, _ options: RenderingOptions
  ) throws(OutputError) {
    try paged { () throws(OutputError) in
      var buffer = ""
      try form.render(as: format, options: options) { (text: String) throws(OutputError) in
        buffer += text
        if buffer.utf8.count >= Self.chunkBytes {
          try writeOutput(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
      }
      try writeOutput(buffer)
    }
  }

  /// Prints each line like `print(line:style:)`, within `paged`.
  package func print(lines: [String]) throws(OutputError) {
    try paged { () throws(OutputError) in
      for line in lines { try print(line: line) }
    }
  }

  /// Prints the lines of a drawing in their styles, within `paged`.
  package func print(_ drawing: [StyledLine]) throws(OutputError) {
    try paged { () throws(OutputError) in
      for line in drawing {
        let text = line.spans.map { styled($0.text, $0.style, output) }.joined()
        try writeOutput(text + "\n")
      }
    }
  }

  func clear() throws(OutputError) {
    guard output.canRedraw else { return }
    try SystemTerminal.write(Array("\u{1B}[H\u{1B}[2J".utf8), to: output.descriptor, name: "standard output")
  }

  /// Runs `body`, whose output goes through the user's pager if standard output is a terminal that can have one. Nested
  /// calls share the pager. Waits until the pager ends. It is not an error if the user leaves the pager early.
  package func paged(_ body: () throws(OutputError) -> Void) throws(OutputError) {
    guard let pagerCommand, pager.withLock({ $0 == nil }), let size = output.size() else { return try body() }
    pager.withLock { $0 = Pager(command: pagerCommand, descriptor: output.descriptor, size: size) }
    defer { pager.withLock { $0 = nil } }
    var failure: OutputError?
    do throws(OutputError) {
      try body()
    } catch {
      failure = error
    }
    try pager.withLock { (pager) throws(OutputError) in try pager?.finish() }
    if let failure, !failure.isClosedPipe { throw failure }
  }

  package var renderingOptions: RenderingOptions {
    RenderingOptions(
      width: output.isTerminal ? output.fixedColumns ?? (output.size() ?? Self.defaultSize).columns : nil,
      hasColour: output.hasColour, hasLinks: output.hasLinks,
      now: output.isTerminal ? Int64(Date().timeIntervalSince1970) : nil, isTerminal: output.isTerminal)
  }

  /// Prints a text that has its own line ends. On a terminal, its unsafe characters are escaped.
  package func print(rendered text: String) throws(OutputError) {
    guard !text.isEmpty else { return }
    try writeOutput(text)
  }

  /// Prints an escaped line to standard output. A URL at its end becomes a link if the terminal supports links.
  package func print(line: String, style: TextStyle = .plain) throws(OutputError) {
    let safe = TerminalText.safe(line)
    try writeOutput(coloured(output.hasLinks ? Hyperlink.atEnd(of: safe) : safe, style, output) + "\n")
  }

  /// Prints a message to standard error, broken to the width of a terminal. Errors of writing are ignored.
  package func note(_ line: String, style: TextStyle = .plain) { say(coloured(fitted(line), style, error)) }

  func note(unbroken line: String) { say(TerminalText.safe(line)) }

  /// Prints a message like `note`, with the label `warning:`.
  package func warn(_ message: String) { say(labelled("warning:", .yellow, message)) }

  /// Prints an error and its hint to standard error. Does not end the program.
  package func fail(_ message: String, hint: String? = nil) {
    let advice = hint.map { "\n" + labelled("hint:", .bold, $0) } ?? ""
    say(labelled("error:", .red, message) + advice)
  }

  private func labelled(_ label: String, _ style: TextStyle, _ text: String) -> String {
    styled(label, style, error) + fitted("\(label) \(text)").dropFirst(label.count)
  }

  private func fitted(_ text: String) -> String {
    error.isTerminal ? TextLayout.advice(text, to: blockSize.columns).joined(separator: "\n") : TerminalText.safe(text)
  }

  func draw(block lines: [String]) {
    guard error.canRedraw else { return }
    let columns = blockSize.columns
    let fitted = lines.map { TerminalText.truncate(TerminalText.safe($0), to: max(0, columns - 1)) }
    display.withLock { display in
      display.lines = fitted
      writeError(display.block.draw(fitted, columns: columns))
    }
  }

  /// `COLUMNS` can only reduce the width, because lines that the terminal wraps cannot be redrawn.
  var blockSize: TerminalSize {
    var size = error.size() ?? Self.defaultSize
    size.columns = min(size.columns, error.fixedColumns ?? size.columns)
    return size
  }

  private func say(_ line: String) {
    aroundBlock { writeError((error.isTerminal ? TerminalText.gated(line) : line) + "\n") }
  }

  private func aroundBlock<Failure: Error>(_ write: () throws(Failure) -> Void) throws(Failure) {
    try display.withLock { (display) throws(Failure) in
      if display.lines.isEmpty { return try write() }
      let columns = blockSize.columns
      writeError(display.block.draw([], columns: columns))
      try write()
      writeError(display.block.draw(display.lines, columns: columns))
    }
  }

  private func styled(_ text: String, _ style: TextStyle, _ channel: Channel) -> String {
    coloured(TerminalText.safe(text), style, channel)
  }

  private func coloured(_ safe: String, _ style: TextStyle, _ channel: Channel) -> String {
    channel.hasColour && style != .plain ? "\u{1B}[\(style.rawValue)m\(safe)\u{1B}[0m" : safe
  }

  private func writeOutput(_ text: String) throws(OutputError) {
    let bytes = Array((output.isTerminal ? TerminalText.gated(text, keepsLinks: output.hasLinks) : text).utf8)
    try aroundBlock { () throws(OutputError) in
      try pager.withLock { (pager) throws(OutputError) in
        guard pager == nil else { return try pager?.write(bytes) ?? () }
        try SystemTerminal.write(bytes, to: output.descriptor, name: "standard output")
      }
    }
  }

  private func writeError(_ text: String) {
    try? SystemTerminal.write(Array(text.utf8), to: error.descriptor, name: "standard error")
  }
}

extension StandardStreams.Channel {
  init(descriptor: Int32, _ environment: (String) -> String?) {
    let isTerminal = SystemTerminal.isTerminal(descriptor)
    let term = environment("TERM") ?? ""
    let knowsSequences = isTerminal && term != "dumb" && !term.isEmpty
    // Any value that is not empty turns colours off (no-color.org).
    let wantsColour = (environment("NO_COLOR") ?? "").isEmpty
    let fixedColumns = environment("COLUMNS").flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    self.init(
      descriptor: descriptor, isTerminal: isTerminal, hasColour: knowsSequences && wantsColour,
      hasLinks: knowsSequences && wantsColour && Hyperlink.isShown(environment),
      canRedraw: knowsSequences, fixedColumns: fixedColumns, size: { SystemTerminal.size(descriptor) })
  }
}

/// Lines that the next drawing replaces. The cursor is never hidden, because a killed process could not show it again.
/// Each drawing is a single write, so that the lines do not flicker.
struct TransientBlock: Sendable, Equatable {
  private var drawn: [Int] = []

  /// No line may be wider than `columns - 1`.
  mutating func draw(_ lines: [String], columns: Int) -> String {
    if drawn.isEmpty && lines.isEmpty { return "" }
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
    var text = "\r"
    if rows > 1 { text += "\u{1B}[\(rows - 1)A" }
    text += lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    text += "\u{1B}[J"
    drawn = lines.map { TerminalText.displayWidth($0) }
    return text
  }
}
