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

  init(ttl: Duration, takenAt: Duration, clock: any SyncClock, renew: @escaping @Sendable () async throws -> Void) {
    self.ttl = ttl
    self.clock = clock
    self.renew = renew
    renewedAt = Mutex(takenAt)
  }

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

  func heartbeat() async -> any Error {
    do {
      while true {
        try await clock.sleep(for: ttl / 4)
        let askedAt = clock.now()
        try await renew()
        renewedAt.withLock { $0 = askedAt }
      }
    } catch {
      return error
    }
  }

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
