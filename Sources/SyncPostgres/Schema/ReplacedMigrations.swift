import Hashing
import SyncCore

/// The nine migrations that the baseline replaced before the first release. They made the same schema as the baseline,
/// so a database with exactly these migrations only needs another record in `sync.migration`.
enum ReplacedMigrations {
  /// SHA-256 of the record: `VERSION NAME CHECKSUM` of each migration in the order of versions, separated by commas.
  private static let digest = "9eb79390648b5fe4aa587ad482723d8ba910866137ca62843515b3a7722e0575"

  /// Whether a record lists exactly the nine migrations, with their names and checksums.
  /// - Parameter applied: All rows of `sync.migration` in the order of versions.
  static func areListed(in applied: [AppliedMigration]) -> Bool {
    let rows = applied.map { "\($0.version) \($0.name) \($0.checksum.hexadecimal)" }
    return SHA256.hash(data: Array(rows.joined(separator: ",").utf8)).hexadecimal == digest
  }

  /// The condition of `areListed` in SQL. NULL if `sync.migration` is empty.
  ///
  /// The digest is decoded, because `decode` ignores line breaks that a narrow terminal adds.
  static let areRecorded = """
    (SELECT sha256(convert_to(string_agg(concat_ws(' ', version, name, encode(checksum, 'hex')), ',' \
    ORDER BY version), 'UTF8')) FROM sync.migration) = decode('\(digest)', 'hex')
    """

  /// Returns the error for a database that lists the nine migrations. The hint ends with the statement that lists the
  /// baseline instead, with the time of the last migration. If the record is another, the statement changes nothing.
  static func refusal(for baseline: Migration) -> SyncError {
    let statement = """
      WITH replaced AS (DELETE FROM sync.migration WHERE \(areRecorded) RETURNING applied_at) \
      INSERT INTO sync.migration (version, name, checksum, applied_at) \
      SELECT \(baseline.version), '\(baseline.name)', decode('\(baseline.checksum.hexadecimal)', 'hex'), \
      max(applied_at) FROM replaced HAVING count(*) > 0;
      """
    return SyncError(
      .configuration,
      "the schema is current, but sync.migration lists the nine migrations that the baseline has replaced",
      hint: "as the owner, run syncctl migrate after this statement in psql (syncctl db psql --owner): \(statement)",
      disposition: .stopRun)
  }
}
