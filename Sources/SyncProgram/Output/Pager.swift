import Foundation

/// Starts the pager with `popen`, because the pager then stays in the terminal's foreground process group.
struct Pager {
  private enum Stage {
    case held([UInt8], lines: Int)
    case shown(UnsafeMutablePointer<FILE>, onInterrupt: (@convention(c) (Int32) -> Void)?)
    case short
  }

  private let command: String
  private let descriptor: Int32
  private let size: TerminalSize
  private var stage = Stage.held([], lines: 0)

  init(command: String, descriptor: Int32, size: TerminalSize) {
    self.command = command
    self.descriptor = descriptor
    self.size = size
  }

  static func command(_ environment: (String) -> String?) -> String? {
    let command = environment("SYNCCTL_PAGER") ?? environment("PAGER") ?? standard
    return command.isEmpty || command == "cat" ? nil : command
  }

  private static let standard = "command -v less > /dev/null || exec cat; less"

  mutating func write(_ bytes: [UInt8]) throws(OutputError) {
    switch stage {
    case .short: try put(bytes, descriptor)
    case .shown(let file, _): try put(Hyperlink.removed(from: bytes), fileno(file))
    case .held(let held, let lines):
      let longer = held + bytes
      let count = lines + Self.lines(of: Hyperlink.removed(from: bytes), columns: size.columns)
      stage = .held(longer, lines: count)
      if count >= size.rows { try open(Hyperlink.removed(from: longer)) }
    }
  }

  mutating func finish() throws(OutputError) {
    switch stage {
    case .held(let bytes, _):
      stage = .short
      try put(bytes, descriptor)
    case .shown(let file, let handler):
      stage = .short
      pclose(file)
      signal(SIGINT, handler)
    case .short: break
    }
  }

  private mutating func open(_ bytes: [UInt8]) throws(OutputError) {
    // The options are those of git: less ends if all rows fit, shows colours, and leaves the text on the screen.
    // Without a locale, less would show titles as bytes. If the shell finds no pager, cat prints the output.
    let script = """
      export LESS="${LESS-FRX}" LV="${LV--c}" LESSCHARSET="${LESSCHARSET-utf-8}"
      (\(command)); case $? in 126 | 127) exec cat ;; esac
      """
    guard let file = popen(script, "w") else {
      stage = .short
      return try put(bytes, descriptor)
    }
    // Ctrl-C must not end this program, because the pager would then lose its terminal.
    stage = .shown(file, onInterrupt: signal(SIGINT, SIG_IGN))
    try put(bytes, fileno(file))
  }

  private func put(_ bytes: [UInt8], _ descriptor: Int32) throws(OutputError) {
    try SystemTerminal.write(bytes, to: descriptor, name: "standard output")
  }

  static func lines(of bytes: [UInt8], columns: Int) -> Int {
    var count = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      count += max(1, (line.count + columns - 1) / max(1, columns))
    }
    return count
  }
}
