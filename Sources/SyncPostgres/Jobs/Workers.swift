import Foundation
import LibPQ

/// A worker's process as `sync.worker` names it.
package struct WorkerIdentity: Sendable {
  let id = UUID().uuidString
  let version: String

  package init(version: String) { self.version = version }
}

/// A period without a worker, in seconds since 1970 by the server's clock.
package struct WorkerAbsence: Sendable, Equatable {
  /// The last tick, or the orderly stop, of any worker.
  package let since: Double
  package let now: Double

  package init(since: Double, now: Double) { (self.since, self.now) = (since, now) }
}

package enum Workers {
  /// Returns since when no worker is at work; `nil` if one is, or without a recorded job. Also `nil` if no worker was
  /// ever recorded: then cron may run `schedule --once`, which records none.
  package static func absence(in database: Database) async throws -> WorkerAbsence? {
    try await database.read { connection in
      try connection.query(QuerySQL.text("worker_absence")).first { row in
        WorkerAbsence(since: try row.double(0) ?? 0, now: try row.double(1) ?? 0)
      }
    }
  }
}
