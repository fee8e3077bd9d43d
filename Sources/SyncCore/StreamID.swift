/// The name of a source in commands, configuration and tables.
package struct SourceID: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: String

  /// Creates the id of a source from its name. The name is not checked, and becomes a part of names of tables and
  /// variables.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  package var description: String { rawValue }
}

/// A list or catalogue of a source that is walked on its own, e.g. `source/top-list:tv`.
package struct StreamID: Hashable, Sendable, CustomStringConvertible {
  package let source: SourceID
  package let name: String

  /// `name` is the name within the source, such as `top-list:tv`.
  package init(source: SourceID, name: String) {
    self.source = source
    self.name = name
  }

  package var description: String { "\(source)/\(name)" }
}
