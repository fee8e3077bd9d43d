import Foundation
import LibPQ

package struct WorkerIdentity: Sendable {
  let id = UUID().uuidString
  let version: String

  package init(version: String) { self.version = version }
}

package struct WorkerAbsence: Sendable, Equatable {
  /// The time of the last tick or orderly stop of any worker; `nil` if no worker has ever run.
  package let since: Double?
  package let now: Double
}

package enum Workers {
  /// Returns the period without a worker, or `nil` if a worker is active or no job exists. Also returns `nil` if no
  /// worker was ever recorded but jobs ran. In this case, cron may run the jobs with `worker --once`.
  package static func absence(in database: Database, hasJobs: Bool) async throws -> WorkerAbsence? {
    try await database.read { connection in
      try connection.query(QuerySQL.text("worker_absence"), [.bool(hasJobs)]).first { row in
        WorkerAbsence(since: try row.double(0), now: try row.double(1) ?? 0)
      }
    }
  }
}
