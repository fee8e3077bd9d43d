/// SQL that is part of the program. A literal becomes SQL by itself; other texts need `init(trusted:)`. External values
/// are passed as parameters.
package struct SQL: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(stringLiteral value: StaticString) { text = value.description }

  /// Accepts SQL that is part of the program, never external text.
  package init(trusted text: String) { self.text = text }

  /// Returns both texts joined without a separator.
  package static func + (left: SQL, right: SQL) -> SQL { SQL(trusted: left.text + right.text) }

  package var description: String { text }
}
