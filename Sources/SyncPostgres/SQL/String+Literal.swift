extension String {
  /// The text as a literal in SQL.
  package var literal: String { "'\(replacing("'", with: "''"))'" }
}
