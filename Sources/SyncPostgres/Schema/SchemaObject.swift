import Foundation
import LibPQ

/// A function or view of the database.
struct SchemaObject: Sendable {
  /// The name in the SQL files. Overloaded functions have the same name.
  let name: String
  let isView: Bool
  let id: Int64
  /// Changes when the object is created or replaced. A view's other changes, such as new rights, keep the version.
  let version: String
  /// The quoted name with the schema, and a function's types of arguments.
  let identity: String
  let owner: String
  let options: String
  let rights: [Right]

  /// A statement that grants or revokes a right: `action`, the object, `role`.
  struct Right: Sendable, Decodable {
    /// The view's column, or empty.
    let column: String
    let action: String
    let role: String
  }

  /// The keyword of DROP and ALTER.
  var kind: String { isView ? "VIEW" : "ROUTINE" }

  /// Returns the existing functions and views with these names or identities.
  static func read(
    _ names: [String], identities: Set<String> = [], _ connection: borrowing PGConnection
  ) throws -> [SchemaObject] {
    let decoder = JSONDecoder()
    return try connection.query(existing, [.texts(names), .texts(Array(identities))]).map { row in
      SchemaObject(
        name: try row.text(0) ?? "", isView: try row.bool(1) ?? false, id: try row.int(2) ?? 0,
        version: try row.text(3) ?? "", identity: try row.text(4) ?? "", owner: try row.text(5) ?? "",
        options: try row.text(6) ?? "", rights: try decoder.decode([Right].self, from: Data(row.bytes(7) ?? [])))
    }
  }

  func restoreOptions(to new: SchemaObject, _ connection: borrowing PGConnection) throws {
    guard !options.isEmpty, options != new.options else { return }
    try connection.script(SQL(trusted: "ALTER VIEW \(new.identity) SET (\(options))"))
  }

  func restoreRights(to new: SchemaObject, _ connection: borrowing PGConnection) throws {
    if owner != new.owner {
      let name = try connection.escapedIdentifier(owner)
      try connection.script(SQL(trusted: "ALTER \(kind) \(new.identity) OWNER TO \(name)"))
    }
    try connection.run(
      """
      SELECT concat_ws(' ', action, $1::text, role)
      FROM unnest($2::text[], $3::text[], $4::text[]) AS r ("column", action, role)
      -- Rights on columns that the view no longer has are not restored.
      WHERE "column" = '' OR EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = $5::bigint::oid AND attname = "column" AND NOT attisdropped)
      """,
      [
        .text(new.identity), .texts(rights.map(\.column)), .texts(rights.map(\.action)), .texts(rights.map(\.role)),
        .int(new.id),
      ])
  }

  /// A view's rule is written again when the view is replaced, so its `xmin` is part of the view's version.
  private static let existing: SQL = """
    WITH found AS (
      SELECT n.nspname || '.' || c.relname AS name, 'TABLE' AS kind, c.oid,
             format('%I.%I', n.nspname, c.relname) AS identity, c.relowner AS owner,
             coalesce(c.relacl, acldefault('r', c.relowner)) AS acl, c.reloptions AS options,
             format('%s %s', c.oid, (
               SELECT r.xmin FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename = '_RETURN')) AS version
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'v'
      UNION ALL
      SELECT n.nspname || '.' || p.proname, 'ROUTINE', p.oid,
             format('%I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)), p.proowner,
             coalesce(p.proacl, acldefault('f', p.proowner)), NULL, format('%s %s', p.oid, p.xmin)
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    )
    SELECT name, kind = 'TABLE', oid, version, identity, pg_get_userbyid(owner), array_to_string(options, ', '),
           coalesce((
             SELECT json_agg(r) FROM (
               -- PUBLIC can execute a new function, so an earlier revocation is repeated.
               SELECT '' AS "column", 'REVOKE ALL ON ROUTINE' AS action, 'FROM PUBLIC' AS role
               WHERE kind = 'ROUTINE' AND NOT EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 0)
               UNION ALL
               SELECT coalesce(a."column", ''),
                      concat_ws(' ', 'GRANT', a.privilege_type, '(' || quote_ident(a."column") || ')', 'ON', kind),
                      concat_ws(' ', 'TO', coalesce(quote_ident(g.rolname), 'PUBLIC'),
                                CASE WHEN a.is_grantable THEN 'WITH GRANT OPTION' END)
               FROM (
                 SELECT NULL::name AS "column", w.* FROM aclexplode(acl) w
                 UNION ALL
                 SELECT t.attname, w.* FROM pg_attribute t, aclexplode(t.attacl) w
                 WHERE kind = 'TABLE' AND t.attrelid = found.oid AND NOT t.attisdropped
               ) a LEFT JOIN pg_roles g ON g.oid = a.grantee
               -- The SQL files set the rights of PUBLIC on functions.
               WHERE a.grantee <> owner AND (a.grantee <> 0 OR kind = 'TABLE')
             ) r), '[]')
    FROM found WHERE name = ANY ($1) OR identity = ANY ($2) ORDER BY oid
    """
}

extension PGConnection {
  borrowing func run(_ query: SQL, _ parameters: [PGParameter]) throws {
    for statement in try texts(query, parameters) { try script(SQL(trusted: statement)) }
  }
}
