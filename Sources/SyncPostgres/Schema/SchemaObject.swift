import LibPQ

/// A function or a view as a database has it, with what people may have given it: an owner, rights, comments.
struct SchemaObject: Sendable {
  /// What files call it; functions of the same name have it together.
  let object: Repeatable.Object
  let id: Int64
  /// Another one after each change of the definition.
  let version: String
  /// With the types of its arguments, as statements name it.
  let identity: String
  let owner: String
  /// Rights of others than the owner, as JSON.
  let rights: String
  /// Of a view: `security_barrier=true, …`; empty without any.
  let options: String
  /// By column; of the object itself, by an empty name.
  var comments: [String: String] = [:]

  /// How `sync.repeatable` names a comment.
  func commentKey(_ column: String) -> String { column.isEmpty ? identity : "\(identity) \(column)" }

  /// What COMMENT names.
  func commentTarget(_ column: String) -> String {
    column.isEmpty ? "\(object.kind.rawValue) \(identity)" : "COLUMN \(identity).\(column)"
  }

  /// Those of the objects that are there.
  static func read(
    _ objects: some Collection<Repeatable.Object>, _ connection: borrowing PGConnection
  ) throws -> [SchemaObject] {
    let parameters: [PGParameter] = [.texts(objects.map(\.kind.rawValue)), .texts(objects.map(\.name))]
    let withRights: SQL = """
      SELECT kind, written, oid, version, identity, pg_get_userbyid(owner), rights::text,
             array_to_string(options, ', ')
      FROM found CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY to_jsonb(r)), '[]') AS rights FROM
      """
    var found = try connection.query(Self.found + withRights + Self.rights + " r) a ORDER BY oid", parameters).map {
      row in
      SchemaObject(
        object: Repeatable.Object(
          kind: .init(rawValue: try row.text(0) ?? "") ?? .routine, name: try row.text(1) ?? ""),
        id: try row.int(2) ?? 0, version: try row.text(3) ?? "", identity: try row.text(4) ?? "",
        owner: try row.text(5) ?? "", rights: try row.text(6) ?? "[]", options: try row.text(7) ?? "")
    }
    let withComments: SQL = """
      SELECT f.oid, coalesce(quote_ident(a.attname), ''), d.description
      FROM found f
      JOIN pg_description d ON d.classoid = f.class AND d.objoid = f.oid
      LEFT JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = d.objsubid AND f.kind = 'VIEW'
      """
    let comments = try connection.query(Self.found + withComments, parameters).map { row in
      (id: try row.int(0) ?? 0, column: try row.text(1) ?? "", text: try row.text(2) ?? "")
    }
    let places = Dictionary(uniqueKeysWithValues: found.indices.map { (found[$0].id, $0) })
    for comment in comments {
      if let place = places[comment.id] { found[place].comments[comment.column] = comment.text }
    }
    return found
  }

  /// What depends on an object and is made by one of these files, each before what it depends on; the object last.
  func dependents(
    among objects: some Collection<Repeatable.Object>, _ connection: borrowing PGConnection
  ) throws -> [SchemaObject] {
    let order = try connection.query(
      """
      WITH RECURSIVE chain (class, id, depth) AS (
        SELECT CASE $1 WHEN 'VIEW' THEN 'pg_class'::regclass ELSE 'pg_proc'::regclass END::oid, $2::bigint::oid, 0
        UNION
        -- A view depends on others by its rule, which is a part of it.
        SELECT n.class, n.id, c.depth + 1
        FROM chain c
        JOIN pg_depend d ON d.refclassid = c.class AND d.refobjid = c.id
        LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
        CROSS JOIN LATERAL (
          SELECT CASE WHEN r.oid IS NULL THEN d.classid ELSE 'pg_class'::regclass END, coalesce(r.ev_class, d.objid)
        ) AS n (class, id)
        WHERE (n.class, n.id) <> (c.class, c.id) AND c.depth < 100
      )
      SELECT id FROM chain WHERE class IN ('pg_class'::regclass, 'pg_proc'::regclass)
      GROUP BY class, id ORDER BY max(depth) DESC
      """, [.text(object.kind.rawValue), .int(id)]
    ).map { row in try row.int(0) ?? 0 }
    let known = Dictionary(
      try Self.read(objects, connection).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return order.compactMap { known[$0] }
  }

  /// What people have hung on a view, and what would go with it without a word.
  func attachments(_ connection: borrowing PGConnection) throws -> [String] {
    guard object.kind == .view else { return [] }
    return try connection.query(
      """
      SELECT format('trigger %I on view %s', tgname, $2::text) FROM pg_trigger
      WHERE tgrelid = $1::bigint::oid AND NOT tgisinternal
      UNION ALL
      SELECT format('rule %I on view %s', rulename, $2::text) FROM pg_rewrite
      WHERE ev_class = $1::bigint::oid AND rulename <> '_RETURN'
      UNION ALL
      SELECT format('default of column %I of view %s', a.attname, $2::text)
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE d.adrelid = $1::bigint::oid
      """, [.int(id), .text(identity)]
    ).map { row in try row.text(0) ?? "" }
  }

  /// Gives a view that was replaced or made again the options that another had, `security_invoker` for one.
  func restoreOptions(to new: SchemaObject, _ connection: borrowing PGConnection) throws {
    guard !options.isEmpty, options != new.options else { return }
    try connection.script(SQL(trusted: "ALTER VIEW \(new.identity) SET (\(options))"))
  }

  /// Gives an object that was made again what another had: its owner and the rights of others. The right of
  /// everybody to call a function is not given back where the file takes it away.
  func restore(to new: SchemaObject, _ connection: borrowing PGConnection) throws {
    if owner != new.owner {
      let name = try connection.escapedIdentifier(owner)
      try connection.script(SQL(trusted: "ALTER \(new.object.kind.rawValue) \(new.identity) OWNER TO \(name)"))
    }
    let had: SQL = """
      , had AS (
        SELECT h.* FROM jsonb_to_recordset($4::text::jsonb)
          AS h ("column" text, privilege text, grantee text, grantable boolean)
      ), has AS (
        SELECT r.* FROM found f CROSS JOIN LATERAL
      """
    let difference: SQL = """
       r WHERE f.oid = $3::bigint::oid
      ), difference AS (
        SELECT 'REVOKE' AS verb, 'FROM' AS word, has.*, false AS optional FROM has
        WHERE NOT EXISTS (
          SELECT FROM had WHERE had.privilege = has.privilege AND had.grantee IS NOT DISTINCT FROM has.grantee
            AND had."column" IS NOT DISTINCT FROM has."column")
        UNION ALL
        SELECT 'GRANT', 'TO', had.*, had.grantable FROM had
        WHERE (had.grantee IS NOT NULL OR $1::text[] = '{VIEW}') AND NOT EXISTS (
          SELECT FROM has WHERE has.privilege = had.privilege AND has.grantee IS NOT DISTINCT FROM had.grantee
            AND has."column" IS NOT DISTINCT FROM had."column" AND has.grantable = had.grantable)
          -- A column that the view has no more takes its rights with it.
          AND (had."column" IS NULL OR EXISTS (
            SELECT FROM pg_attribute WHERE attrelid = $3::bigint::oid AND attname = had."column"))
      )
      SELECT concat_ws(' ', d.verb, d.privilege, '(' || quote_ident(d."column") || ')', 'ON',
                       CASE f.kind WHEN 'VIEW' THEN 'TABLE' ELSE 'ROUTINE' END, f.identity, d.word,
                       coalesce(quote_ident(d.grantee), 'PUBLIC'), CASE WHEN d.optional THEN 'WITH GRANT OPTION' END)
      FROM difference d, found f WHERE f.oid = $3::bigint::oid ORDER BY d.verb DESC
      """
    let statements = try connection.query(
      Self.found + had + Self.rights + difference,
      [.texts([object.kind.rawValue]), .texts([object.name]), .int(new.id), .text(rights)]
    ).map { row in try row.text(0) ?? "" }
    for statement in statements { try connection.script(SQL(trusted: statement)) }
  }

  /// The objects of $1 (kinds) and $2 (names) that are there.
  private static let found: SQL = """
    WITH named AS (
      SELECT DISTINCT n.kind, n.written, (parse_ident(n.written))[1] AS schema, (parse_ident(n.written))[2] AS name
      FROM unnest($1::text[], $2::text[]) AS n (kind, written)
    ), found AS (
      SELECT n.kind, n.written, c.oid, c.xmin::text AS version, format('%I.%I', n.schema, n.name) AS identity,
             c.relowner AS owner, 'pg_class'::regclass AS class, coalesce(c.relacl, acldefault('r', c.relowner)) AS acl,
             c.reloptions AS options
      FROM named n JOIN pg_namespace s ON s.nspname = n.schema
      JOIN pg_class c ON c.relnamespace = s.oid AND c.relname = n.name AND c.relkind = 'v'
      WHERE n.kind = 'VIEW'
      UNION ALL
      SELECT n.kind, n.written, p.oid, p.xmin::text,
             format('%I.%I(%s)', n.schema, n.name, oidvectortypes(p.proargtypes)), p.proowner, 'pg_proc'::regclass,
             coalesce(p.proacl, acldefault('f', p.proowner)), NULL
      FROM named n JOIN pg_namespace s ON s.nspname = n.schema
      JOIN pg_proc p ON p.pronamespace = s.oid AND p.proname = n.name
      WHERE n.kind = 'ROUTINE'
    )
    """

  /// The rights of others than its owner on a row of `found`; of everybody, the grantee is null.
  private static let rights: SQL = """
    (
      SELECT a."column", a.privilege_type AS privilege, g.rolname AS grantee, a.is_grantable AS grantable
      FROM (
        SELECT NULL::name AS "column", w.* FROM aclexplode(acl) w
        UNION ALL
        SELECT t.attname, w.* FROM pg_attribute t, aclexplode(t.attacl) w
        WHERE class = 'pg_class'::regclass AND t.attrelid = oid AND NOT t.attisdropped
      ) a
      LEFT JOIN pg_roles g ON g.oid = a.grantee
      WHERE a.grantee <> owner
    )
    """
}
