/// A text that must not be shown, such as a password. Its descriptions and its mirror are `***`, so that it cannot
/// reach a log or an error by interpolation or `dump`.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  /// Wraps the secret text.
  package init(_ value: String) { self.value = value }

  /// Returns the secret itself. Only code that passes it to a server or a program calls this function.
  package func reveal() -> String { value }

  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
