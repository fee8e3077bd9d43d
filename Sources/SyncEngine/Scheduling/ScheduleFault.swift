import SyncCore

/// Why a schedule's text was refused, and where.
package struct ScheduleFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, without a full stop; quoted input in it is made harmless.
  package let message: String
  /// What to write instead, if known.
  package let hint: String?
  /// The given expression on one line, safe for a terminal; a long one is cut off.
  package let text: String
  /// The faulty characters of `text`, counted from 0; empty for a place at which something is missing.
  package let columns: Range<Int>

  init(_ message: String, hint: String?, text: String, columns: Range<Int>) {
    self.message = message
    self.hint = hint
    self.text = text
    self.columns = columns
  }

  /// The expression, and below it `^~~` under the faulty part.
  package var caret: String {
    let tail = String(repeating: "~", count: max(0, columns.count - 1))
    return "\(text)\n\(String(repeating: " ", count: columns.lowerBound))^\(tail)"
  }

  package var description: String { hint.map { "\(message): \($0)" } ?? message }
}
