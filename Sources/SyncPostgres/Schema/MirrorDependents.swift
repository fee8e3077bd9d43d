import LibPQ
import SyncCore

/// Finds the objects that DROP … CASCADE would drop together with syncctl's own objects.
enum MirrorDependents {
  /// Returns the users' objects that depend on these schemas.
  static func names(in schemas: [String], _ connection: borrowing PGConnection) throws -> [String] {
    // A user's function can have the name of a syncctl function, so the argument types are compared too.
    let recorded = Set(try FunctionSet.installed(connection).values.flatMap(\.objects))
    // No migration contains `sync.migration`, because `Migrator` creates this table.
    let made = Set(Migration.all.flatMap(\.relations) + ["sync.migration"])
    return try connection.query(lost, [.texts(schemas), .ints([]), .ints([])]).map { row -> String? in
      let key = try row.text(1) ?? ""
      return made.contains(key) || recorded.contains(key) ? nil : try row.text(0)
    }.compactMap { $0 }
  }

  /// Returns the objects that depend on these functions and views.
  /// - Parameter known: Identities of functions and views that are not returned.
  static func names(
    droppedWith objects: [SchemaObject], except known: Set<String>, _ connection: borrowing PGConnection
  ) throws -> [String] {
    let views = objects.filter(\.isView).map(\.id)
    let routines = objects.filter { !$0.isView }.map(\.id)
    return try connection.query(lost, [.texts([]), .ints(views), .ints(routines)]).map { row -> String? in
      known.contains(try row.text(1) ?? "") ? nil : try row.text(0)
    }.compactMap { $0 }
  }

  private static let lost: SQL = """
    WITH RECURSIVE lost (class, id, part) AS (
      (
        SELECT 'pg_namespace'::regclass::oid, oid, 0 FROM pg_namespace WHERE nspname = ANY ($1)
        UNION ALL SELECT 'pg_class'::regclass, id::oid, 0 FROM unnest($2::bigint[]) AS view (id)
        UNION ALL SELECT 'pg_proc'::regclass, id::oid, 0 FROM unnest($3::bigint[]) AS routine (id)
      )
      UNION
      SELECT next.* FROM lost l CROSS JOIN LATERAL (
        SELECT classid, objid, objsubid FROM pg_depend
        WHERE refclassid = l.class AND refobjid = l.id AND l.part IN (0, refobjsubid)
        UNION ALL
        SELECT refclassid, refobjid, refobjsubid FROM pg_depend
        WHERE classid = l.class AND objid = l.id AND objsubid = l.part AND deptype IN ('i', 'e')
      ) AS next
    ), named AS (
      SELECT l.*, format('%s %s', o.type, o.identity) AS name,
             EXISTS (
               SELECT FROM pg_depend d JOIN lost whole
                 ON whole.class = d.refclassid AND whole.id = d.refobjid AND whole.part IN (0, d.refobjsubid)
               WHERE d.classid = l.class AND d.objid = l.id AND d.objsubid = l.part AND d.deptype <> 'n'
             ) OR l.part > 0 AND EXISTS (
               SELECT FROM lost whole WHERE whole.class = l.class AND whole.id = l.id AND whole.part = 0
             ) AS is_part
      FROM lost l CROSS JOIN LATERAL pg_identify_object(l.class, l.id, l.part) o
      WHERE l.class <> 'pg_namespace'::regclass
    )
    SELECT n.name,
           CASE WHEN n.part > 0 THEN NULL
             WHEN c.oid IS NOT NULL THEN format('%s.%I', c.relnamespace::regnamespace, c.relname)
             WHEN p.oid IS NOT NULL THEN format(
               '%s.%I(%s)', p.pronamespace::regnamespace, p.proname, oidvectortypes(p.proargtypes)) END
    FROM named n
    LEFT JOIN pg_class c ON n.class = 'pg_class'::regclass AND c.oid = n.id
    LEFT JOIN pg_trigger t ON n.class = 'pg_trigger'::regclass AND t.oid = n.id
    -- A trigger belongs to syncctl if its function does.
    LEFT JOIN pg_proc p ON p.oid = CASE n.class WHEN 'pg_proc'::regclass THEN n.id ELSE t.tgfoid END
    LEFT JOIN pg_rewrite r ON n.class = 'pg_rewrite'::regclass AND r.oid = n.id
    -- Only these kinds of a table's parts are listed. `names` omits syncctl's own triggers and indexes.
    WHERE NOT n.is_part
       OR n.class::regclass::text IN ('pg_policy', 'pg_statistic_ext', 'pg_publication_rel', 'pg_publication_namespace')
       OR NOT t.tgisinternal OR r.rulename <> '_RETURN'
       OR c.relkind = 'i' AND c.relnamespace::regnamespace::text = ANY ($1) AND NOT c.relispartition
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = n.id)
    ORDER BY 1
    """
}

extension Migration {
  fileprivate var relations: [String] {
    let indexes = text.matches(of: /(?m)^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)\./)
    let others = text.matches(of: /(?m)^CREATE (?:OR REPLACE )?(?:TABLE|VIEW) (\w+\.\w+)/)
    return indexes.map { "\($0.output.2).\($0.output.1)" } + others.map { "\($0.output.1)" }
  }
}
