extension DeclaredTable {
  /// The statements that grant the roles their rights on the table.
  var grants: String {
    "GRANT USAGE ON SCHEMA \(source) TO syncctl_worker, syncctl_user, syncctl_reader;\n"
      + relationGrants.map(\.statement).joined(separator: "\n")
  }

  /// The rights on each relation of the table. The statements name relations, because a user can have other relations
  /// in this schema. The worker does not write views, because a view is written with the rights of its owner.
  private var relationGrants: [(relation: String, statement: String)] {
    // Counters and a list that are no longer declared stay, with their rights.
    let tables = [name, countersName, listName]
    return (tables + [fullName, placesName]).map {
      ($0, "GRANT SELECT ON \($0) TO syncctl_worker, syncctl_user, syncctl_reader;")
    }
      + tables.map { ($0, "GRANT INSERT, UPDATE, DELETE ON \($0) TO syncctl_worker;") }
  }

  /// The function that grants the roles their rights in the schema of a source. It skips relations that a user has
  /// dropped, so that `sql/roles.sql` grants all other rights.
  /// - Parameter tables: All tables of the source.
  static func rights(of tables: [DeclaredTable]) -> String {
    let source = tables[0].source
    let views = ["favorite_item", "favorite_history"].map { view in
      let name = "\(source).\(view)"
      return (relation: name, statement: "GRANT SELECT ON \(name) TO syncctl_worker, syncctl_user, syncctl_reader;")
    }
    let grants = (tables.flatMap(\.relationGrants) + views).map { relation, statement in
      "  IF to_regclass('\(relation)') IS NOT NULL THEN \(statement) END IF;"
    }
    return """
      CREATE OR REPLACE FUNCTION \(source).grant_rights() RETURNS void
      LANGUAGE plpgsql
      AS $$
      BEGIN
        GRANT USAGE ON SCHEMA \(source) TO syncctl_worker, syncctl_user, syncctl_reader;
      \(grants.joined(separator: "\n"))
      END $$;
      COMMENT ON FUNCTION \(source).grant_rights IS 'Grants the roles of syncctl the rights that they need in this \
      schema. sql/roles.sql calls the function.';
      """
  }
}
