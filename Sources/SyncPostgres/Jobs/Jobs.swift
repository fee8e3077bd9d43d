import Foundation
import LibPQ
import SyncCore

/// The registered jobs, and the user's control of their runs. A name without a registered job throws `.missing`.
package enum Jobs {
  /// Returns a row for each registered job with its latest runs, sorted by name. The columns are those of
  /// `sql/shared/queries/jobs.sql`.
  package static func list(_ database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("jobs"))
  }

  /// Returns the database's time in seconds since 1970. Workers start jobs by this clock.
  package static func now(in database: Database) async throws -> Int64 {
    try await database.read { connection in
      try connection.query("SELECT extract(epoch FROM clock_timestamp())::bigint").int(row: 0, column: 0) ?? 0
    }
  }

  /// Prevents new runs. A running run continues. Returns false if the job was already paused. Throws `.missing` for a
  /// name without a registered job.
  package static func pause(_ name: String, in database: Database) async throws -> Bool {
    try await change(name, QuerySQL.text("pause_job"), in: database)
  }

  /// Permits new runs. Runs that were missed during the pause do not start. Returns false if the job was not paused.
  /// Throws `.missing` for a name without a registered job.
  package static func resume(_ name: String, in database: Database) async throws -> Bool {
    try await change(name, QuerySQL.text("resume_job"), in: database)
  }

  /// Queues a run, even if the job is paused. Returns its nominal time in ISO 8601 and UTC, which is part of the run's
  /// key; `nil` if a triggered run already waits. Throws `.missing` for a name without a registered job.
  package static func trigger(_ name: String, in database: Database) async throws -> String? {
    try await database.write(confirm: { _, _ in false }) { connection in
      try check(name, connection)
      return try connection.query(QuerySQL.text("trigger_job"), [.text(name)]).first { row in
        try row.text(0).map(TimeText.instant) ?? ""
      }
    }
  }

  private static func change(_ name: String, _ sql: SQL, in database: Database) async throws -> Bool {
    try await database.write(confirm: { _, _ in false }) { connection in
      try check(name, connection)
      return try connection.query(sql, [.text(name)]).affectedRows == 1
    }
  }

  private static func check(_ name: String, _ connection: borrowing PGConnection) throws {
    let names = try connection.texts("SELECT name FROM sync.job ORDER BY name")
    guard !names.contains(name) else { return }
    throw SyncError(
      .missing, "there is no job \(Excerpt.of(name, scalars: 60))",
      hint: Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        ?? "a worker registers its configured jobs when it starts; syncctl jobs list shows them")
  }
}
