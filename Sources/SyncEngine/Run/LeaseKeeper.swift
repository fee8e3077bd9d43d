import SyncCore
import Synchronization

/// Renews a run's lease four times per TTL. The run must stop if no renewal has succeeded for two thirds of the TTL.
/// `heartbeat` and `watch` are separate tasks, because a renewal can hang.
final class LeaseKeeper: Sendable {
  private let ttl: Duration
  private let clock: any SyncClock
  private let renew: @Sendable () async throws -> Void
  /// The time when the last successful renewal began. The clock also runs while the machine sleeps.
  private let renewedAt: Mutex<Duration>

  /// - Parameters:
  ///   - ttl: The time after which the lease ends without a renewal.
  ///   - takenAt: A time of `clock` that is not later than the beginning of the lease.
  ///   - renew: Renews the lease once. It throws if the lease is lost.
  init(ttl: Duration, takenAt: Duration, clock: any SyncClock, renew: @escaping @Sendable () async throws -> Void) {
    self.ttl = ttl
    self.clock = clock
    self.renew = renew
    renewedAt = Mutex(takenAt)
  }

  /// Runs `body` while the lease is renewed, and cancels it if the lease can be lost.
  ///
  /// The call returns only after `body` has ended.
  /// - Returns: The result of `body`, and the error of the renewal. Both can exist, because `body` can end before it
  ///   sees its cancellation.
  func whileKept<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> (result: R?, lost: (any Error)?) {
    await withTaskGroup(of: (result: R?, lost: (any Error)?).self) { group in
      group.addTask { (await body(), nil) }
      group.addTask { (nil, await self.heartbeat()) }
      group.addTask { (nil, await self.watch()) }
      var result: R?
      var lost: (any Error)?
      for await event in group {
        if let value = event.result { result = value }
        if let error = event.lost, !(error is CancellationError) { lost = error }
        group.cancelAll()
      }
      return (result, lost)
    }
  }

  /// Renews the lease until a renewal fails or the task is cancelled, and returns that error.
  func heartbeat() async -> any Error {
    do {
      while true {
        try await clock.sleep(for: ttl / 4)
        let requestedAt = clock.now()
        try await renew()
        renewedAt.withLock { $0 = requestedAt }
      }
    } catch {
      return error
    }
  }

  /// Waits until no renewal has succeeded for two thirds of the TTL.
  /// - Returns: `SyncError` `.tryLater`, or `CancellationError` if the task was cancelled.
  func watch() async -> any Error {
    do {
      while true {
        let age = clock.now() - renewedAt.withLock { $0 }
        guard age < ttl * 2 / 3 else {
          return SyncError(
            .tryLater, "the lease could not be renewed for \(age.components.seconds) s, so another process may hold it",
            hint: "run again later; it resumes after the last committed page")
        }
        try await clock.sleep(for: ttl * 2 / 3 - age)
      }
    } catch {
      return error
    }
  }
}
