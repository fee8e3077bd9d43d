/// Text that no description, dump or error shows.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  package init(_ value: String) { self.value = value }

  package func reveal() -> String { value }

  package var description: String { "***" }
  package var debugDescription: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
