import Foundation

struct TerminalSize: Sendable, Equatable {
  var columns: Int
  var rows: Int
}

/// The operating system's functions for terminals, variables, writes and errors.
package enum SystemTerminal {
  /// Whether the file descriptor is a terminal. False for a closed descriptor.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func size(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Returns the variable's value; `nil` if the variable is not set. A set variable can be empty.
  package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether the locale's variables select UTF-8. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not
  /// empty decides, as in setlocale(3). Without these variables the result is true, because containers and services
  /// often set none.
  package static func hasUTF8Locale(_ environment: (String) -> String? = SystemTerminal.environment) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).filter { !$0.isEmpty }
    return names.first.map { $0.uppercased().replacing("-", with: "").contains("UTF8") } ?? true
  }

  /// Returns the message of an error number, such as `Permission denied`.
  static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

  /// - Throws: `OutputError`. The process must ignore SIGPIPE, because the signal would end it before the error is
  ///   thrown.
  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(OutputError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes[offset...].withUnsafeBytes { systemWrite(descriptor, $0) }
      if written >= 0 {
        offset += written
        continue
      }
      let code = errno
      switch code {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: waitUntilWritable(descriptor)
      default: throw OutputError(stream: name, code: code)
      }
    }
  }

  /// Another process can make the terminal non-blocking, so a write can fail until there is room.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// A failed write to a standard stream. `code` is the value of `errno`.
package struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  let stream: String
  let code: Int32

  var reason: String { SystemTerminal.reason(code) }

  var isClosedPipe: Bool { code == EPIPE }

  package var description: String { "cannot write to \(stream): \(reason)" }
}
