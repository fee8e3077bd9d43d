/// A statement's text from a literal in the source or a file built into the program. A `String` made at run time cannot
/// become one without writing `trusted:`, and a literal with an interpolation does not compile.
package struct SQL: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(stringLiteral value: StaticString) { text = value.description }

  /// For SQL that is part of the program, never for text from outside.
  package init(trusted text: String) { self.text = text }

  package static func + (left: SQL, right: SQL) -> SQL { SQL(trusted: left.text + right.text) }

  package var description: String { text }
}
