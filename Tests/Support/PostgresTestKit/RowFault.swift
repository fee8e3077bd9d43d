package import SyncCore
package import Testing

/// A user's trigger or rule that drops rows. A run must report the missing rows as an error.
package struct RowFault: Sendable, CustomTestStringConvertible {
  package let table: String
  package let ddl: String
  package let name: String

  package var testDescription: String { "\(name) on \(table): \(ddl)" }

  package static func trigger(_ table: String, _ event: String, _ body: String = "RETURN NULL;") -> RowFault {
    RowFault(
      table: table,
      ddl: """
        CREATE FUNCTION public.drops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) END $$;
        CREATE TRIGGER drops \(event) ON \(table) FOR EACH ROW EXECUTE FUNCTION public.drops()
        """, name: "trigger drops")
  }

  package static func rule(_ table: String, _ event: String) -> RowFault {
    RowFault(
      table: table, ddl: "CREATE RULE ignores AS ON \(event.replacing("TABLE", with: table)) DO INSTEAD NOTHING",
      name: "rule ignores")
  }

  package func install(_ mirror: StoredMirror) async throws {
    for statement in ddl.split(separator: ";\nCREATE TRIGGER") {
      let isTrigger = statement.hasPrefix(" drops")
      try await mirror.execute((isTrigger ? "CREATE TRIGGER" : "") + statement)
    }
  }

  /// Expects an error that names the table with the trigger, or a hint about rules. PostgreSQL's own error for a rule
  /// does not always name the table.
  package func expect(_ error: SyncError?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(error?.code == .configuration, "\(String(describing: error))", sourceLocation: sourceLocation)
    #expect(
      error?.message.contains("\(table) does not contain") == true
        || name.hasPrefix("rule") && error?.hint?.contains("a rule on one of syncctl's tables") == true,
      "\(String(describing: error))",
      sourceLocation: sourceLocation)
  }
}
