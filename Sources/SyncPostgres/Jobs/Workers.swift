import Foundation
import LibPQ
import SyncCore

/// A worker process in the database, with a random id and the program's version.
package struct WorkerIdentity: Sendable {
  let id = UUID().uuidString
  let version: String

  /// Creates an identity with a new random id, for one worker process.
  package init(version: String) { self.version = version }
}

/// A period without an active worker, until `now`. Both times are the database's, in seconds since 1970.
package struct WorkerAbsence: Sendable, Equatable {
  /// The time when any worker was last active; `nil` if no worker has ever run.
  package let since: Double?
  package let now: Double
}

/// The long-running workers that the database records.
package enum Workers {
  /// Returns the period without a worker, or `nil` if a worker is active or no job exists. Also returns `nil` if jobs
  /// ran without a recorded worker, because cron may run `worker --once`.
  /// - Parameter hasJobs: Whether the configuration has jobs, which count even if none is registered.
  package static func absence(in database: Database, hasJobs: Bool) async throws -> WorkerAbsence? {
    try await database.read { connection in
      try connection.query(QuerySQL.text("worker_absence"), [.bool(hasJobs)]).first { row in
        WorkerAbsence(since: try row.double(0), now: try row.double(1) ?? 0)
      }
    }
  }
}
