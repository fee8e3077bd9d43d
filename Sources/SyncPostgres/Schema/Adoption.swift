import LibPQ

/// Converts a database with the 34 migrations that the baseline replaced. The tables of the mirror do not change.
enum Adoption {
  static let count = 34

  static let isRecorded = """
    coalesce((
      SELECT encode(sha256(convert_to(string_agg(
        format(E'%s %s %s\\n', version, name, encode(checksum, 'hex')), '' ORDER BY version), 'UTF8')), 'hex')
      FROM sync.migration WHERE version <= \(count)
    ) = '290fcad19e1160d44aeb1eef7acf6f74e764dad59c1102edfbaf4f2de9e4c7b6', false)
    """

  static func asBaseline(
    _ steps: [AppliedMigration], _ connection: borrowing PGConnection
  ) throws -> [AppliedMigration] {
    guard let baseline = Migration.all.first, steps.count >= count, try isDue(connection) else { return steps }
    let (name, last) = (baseline.name, steps[count - 1].appliedAt)
    return [(version: baseline.version, name: name, checksum: baseline.checksum, appliedAt: last)]
      + steps.dropFirst(count)
  }

  private static func isDue(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(SQL(trusted: "SELECT \(isRecorded)"))
  }

  static func recorded(_ connection: borrowing PGConnection) throws -> [String] {
    guard try connection.isTrue("SELECT to_regclass('sync.repeatable') IS NOT NULL") else { return [] }
    return try connection.texts("SELECT jsonb_object_keys(comments) FROM sync.repeatable")
  }

  static func run(_ baseline: Migration, _ connection: borrowing PGConnection) throws {
    guard try isDue(connection) else { return }
    // The table is renamed, because a new table would lack the rights that roles have.
    try connection.script(
      """
      ALTER TABLE sync.repeatable RENAME TO function_set;
      ALTER TABLE sync.function_set RENAME CONSTRAINT repeatable_pkey TO function_set_pkey;
      ALTER TABLE sync.function_set RENAME COLUMN path TO folder;
      ALTER TABLE sync.function_set RENAME COLUMN revision TO number;
      ALTER TABLE sync.function_set DROP COLUMN schema_version;
      WITH file AS (DELETE FROM sync.function_set RETURNING *)
      INSERT INTO sync.function_set (folder, number, checksum, comments)
      SELECT substring(folder FROM '^(?:sources/)?[^/]+'), 0, '', jsonb_object_agg(c.key, c.value)
      FROM file, jsonb_each(file.comments) c GROUP BY 1;
      -- The report `movers` has replaced two views. DROP would also remove users' triggers and rules without an error.
      DO $$ BEGIN
        IF EXISTS (
          SELECT FROM pg_class c WHERE oid IN (to_regclass('report.risers'), to_regclass('report.fallers'))
            AND (EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid)
                 OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid AND rulename <> '_RETURN'))) THEN
          RAISE EXCEPTION USING ERRCODE = 'dependent_objects_still_exist',
            MESSAGE = 'a trigger or a rule of report.risers or report.fallers';
        END IF;
      END $$;
      DROP VIEW IF EXISTS report.risers, report.fallers;
      """)
    let comments = baseline.text.split(separator: "\n").filter {
      $0.hasPrefix("COMMENT ON ") && $0.contains(" sync.function_set")
    }
    try connection.script(SQL(trusted: comments.joined(separator: "\n")))
    _ = try connection.query(
      """
      WITH step AS (DELETE FROM sync.migration WHERE version <= $4 RETURNING applied_at)
      INSERT INTO sync.migration (version, name, checksum, applied_at)
      SELECT $1::integer, $2::text, $3::bytea, max(applied_at) FROM step
      """, [.int(Int64(baseline.version)), .text(baseline.name), .bytes(baseline.checksum), .int(Int64(count))])
  }
}
