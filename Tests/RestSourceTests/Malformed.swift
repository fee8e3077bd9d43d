import Testing

/// A change of `MalformedDeclarationTests.valid` that makes it malformed, and its error.
struct Malformed: Sendable, CustomTestStringConvertible {
  /// The number of the line that `text` replaces; 0 for a whole declaration.
  let number: Int
  /// Has the indentation of the replaced line.
  let text: String
  let line: Int
  /// Parts of the message, usually the place and the reason.
  let messages: [String]
  let hint: String

  /// - Parameters:
  ///   - message: A part of the message.
  ///   - hint: A part of the hint.
  ///   - line: The line of the error; `number` by default.
  ///   - reason: Another part of the message.
  init(_ number: Int, _ text: String, _ message: String, _ hint: String, at line: Int? = nil, reason: String? = nil) {
    self.number = number
    self.text = text
    self.hint = hint
    messages = [message] + (reason.map { [$0] } ?? [])
    self.line = line ?? number
  }

  var testDescription: String { "\(number): \(text)" }
}
