package import Foundation
package import Logging
import SyncCore

/// Writes each record as a line of at most ``Limits/logLineBytes``, without control sequences from foreign text.
package struct LineLogHandler: LogHandler {
  /// The form of a record: `text` for people, `json` for programs. Both are one line.
  package enum Format: String, Sendable, CaseIterable {
    case text
    case json
  }

  package let label: String
  package let format: Format
  package var logLevel: Logger.Level
  /// Metadata of all records of this handler.
  package var metadata: Logger.Metadata = [:]

  private let safe: @Sendable (String) -> String
  private let write: @Sendable ([UInt8]) -> Void
  private let now: @Sendable () -> Date

  /// Creates a handler.
  /// - Parameters:
  ///   - safe: Makes foreign text safe for a terminal.
  ///   - write: Gets a whole record with its line end, from any thread, and must not block.
  ///   - now: Returns the time of a record.
  package init(
    label: String, format: Format, level: Logger.Level, safe: @escaping @Sendable (String) -> String,
    write: @escaping @Sendable ([UInt8]) -> Void, now: @escaping @Sendable () -> Date
  ) {
    self.label = label
    self.format = format
    logLevel = level
    self.safe = safe
    self.write = write
    self.now = now
  }

  /// The handler's own metadata for a key. `nil` removes the key.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes the record as one line with a line end, at most ``Limits/logLineBytes`` long. Metadata of the record
  /// replaces metadata of the handler with the same key. The level was checked by the logger.
  package func log(event: LogEvent) {
    let time = LogTimestamp.text(now())
    let metadata = merged(event)
    var line =
      switch format {
      case .text: textLine(time, event, metadata)
      case .json: jsonLine(time, event, metadata)
      }
    line.append(UInt8(ascii: "\n"))
    write(line)
  }

  private func merged(_ event: LogEvent) -> Logger.Metadata {
    var result = metadata
    if let error = event.error { result["error"] = "\(error)" }
    if let own = event.metadata { result.merge(own) { $1 } }
    return result
  }

  private func jsonLine(_ time: String, _ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
    let message = Self.json("\(event.message)", limit: Limits.logMessageBytes)
    var line = "{\"time\":\"\(time)\",\"level\":\"\(event.level.rawValue)\",\"message\":\(message)"
    let fields = LogFields(metadata, reserved: ["time", "level", "message", "truncated"])
    let mark = ",\"truncated\":true"
    var isCut = fields.isCut
    for field in fields.entries {
      let member = ",\"\(field.name)\":\(Self.json(field.value, limit: Limits.logValueBytes))"
      guard line.utf8.count + member.utf8.count + mark.utf8.count + 2 <= Limits.logLineBytes else {
        isCut = true
        break
      }
      line += member
    }
    return Array((line + (isCut ? mark : "") + "}").utf8)
  }

  private static func json(_ text: String, limit: Int) -> String {
    let bounded = text.bounded(toBytes: limit) { scalar in
      if scalar.isUnsafe { return scalar.jsonEscape.utf8.count }
      return scalar == "\"" || scalar == "\\" ? 2 : UTF8.width(scalar)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // The encoder never fails. It escapes only C0 controls, so other unsafe characters are escaped below.
    let encoded = (try? encoder.encode(bounded)) ?? Data("\"\"".utf8)
    return String(decoding: encoded, as: UTF8.self).unicodeScalars
      .reduce(into: "") { $0 += $1.isUnsafe ? $1.jsonEscape : String($1) }
  }

  private func textLine(_ time: String, _ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
    let level = event.level.rawValue
    let fill = String(repeating: " ", count: max(0, 5 - level.utf8.count))
    // `safe` is slow, so the message is shortened first. `safe` can lengthen the message, so it is shortened again.
    let message = safe("\(event.message)".bounded(toBytes: Limits.logMessageBytes))
    var line = "\(time) \(level)\(fill) \(message.bounded(toBytes: Limits.logMessageBytes))"
    let fields = LogFields(metadata, reserved: [])
    for (index, field) in fields.entries.enumerated() {
      if line.utf8.count > Limits.logLineBytes { break }
      line += "\(index == 0 ? "  " : " ")\(field.name)=\(safe(Self.word(field.value)))"
    }
    if fields.isCut { line += " \(String.ellipsis)" }
    return Array(line.bounded(toBytes: Limits.logLineBytes - 1).utf8)
  }

  private static func word(_ text: String) -> String {
    let text = text.bounded(toBytes: Limits.logValueBytes)
    guard text.isEmpty || text.unicodeScalars.contains(where: needsQuotation) else { return text }
    return "\"" + text.unicodeScalars.map { ["\"", "\\"].contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }

  private static func needsQuotation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "\\", "=": true
    default: scalar.value <= 0x20 || scalar.properties.isWhitespace
    }
  }
}
