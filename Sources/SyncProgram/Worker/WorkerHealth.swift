import Foundation
import SyncCore
import SyncEngine
import SyncPostgres
import SyncTelemetry
import Synchronization

final class WorkerHealth: Sendable {
  private struct LoopActivity {
    var turnedAt: Duration
    var lookedAt: Duration?
    var problem = "it has not queried the database yet"
  }

  private let now: @Sendable () -> Duration
  private let activity: Mutex<LoopActivity>
  /// Must be longer than `workerStatementTimeout`.
  private static let longestTurn: Duration = .seconds(180)

  init(now: @escaping @Sendable () -> Duration) {
    self.now = now
    activity = Mutex(LoopActivity(turnedAt: now()))
  }

  func note(_ event: WorkerEvent) {
    activity.withLock { activity in
      switch event {
      case .looked:
        activity.turnedAt = now()
        activity.lookedAt = activity.turnedAt
      case .databaseAway(let error, _, _):
        activity.turnedAt = now()
        activity.lookedAt = nil
        activity.problem = "\(error)"
      default: break
      }
    }
  }

  /// A worker without a database is alive, because a restart would not help.
  var isAlive: HealthStatus {
    activity.withLock { activity in
      let age = now() - activity.turnedAt
      return age < Self.longestTurn
        ? .well : .unwell("the worker's loop has made no progress for \(age.components.seconds) s")
    }
  }

  var isReady: HealthStatus {
    activity.withLock { activity in
      guard let lookedAt = activity.lookedAt else { return .unwell(activity.problem) }
      let age = now() - lookedAt
      return age < Limits.workerLookAge ? .well : .unwell("the database last answered \(age.components.seconds) s ago")
    }
  }
}
