package import Foundation
import Synchronization

package final class RequestLog: Sendable {
  private let handle: Mutex<FileHandle>

  package init(_ handle: sending FileHandle) { self.handle = Mutex(handle) }

  /// Throws ``SimulatorError`` if the file cannot be opened or created.
  package static func appending(toFileAt path: String) throws -> RequestLog {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw SimulatorError.logUnwritable(path: path, reason: String(cString: strerror(errno)))
    }
    return RequestLog(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  func append(_ record: RequestRecord) {
    let line = Self.line(for: record)
    handle.withLock { handle in try? handle.write(contentsOf: Data(line)) }
  }

  static func line(for record: RequestRecord) -> [UInt8] {
    let time = record.time.formatted(timeFormat)
    let arrival = String(format: "%.6f", record.arrival)
    let line: SimulatedJSON = #"""
      {"number":\#(record.number),"time":\#(time),"arrival":\#(text: arrival),"method":\#(record.method),\#
      "path":\#(record.target),"page":\#(record.page),"status":\#(record.status),"fault":\#(record.fault),\#
      "bytes":\#(record.bytes)}

      """#
    return line.bytes
  }

  private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
