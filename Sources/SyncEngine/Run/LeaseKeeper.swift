import SyncCore
import Synchronization

/// Keeps a run's lease while the run is at work, and says when it must not be at work any more.
///
/// ```
/// heartbeat   renew ─ TTL/4 ─ renew ─ TTL/4 ─ renew …   each takes as long as the database takes
/// watch             ├────────── 2/3 TTL ──────────▶     since the last one that came back
/// ```
///
/// They are apart because a renewal can hang: by the time the database answers, somebody else may have the lease, and
/// two processes would ask the upstream for the same pages. The fence stops only what is written.
final class LeaseKeeper: Sendable {
  private let ttl: Duration
  private let clock: any SyncClock
  private let renew: @Sendable () async throws -> Void
  /// A time before the lease was last renewed; by the process's clock, which continues while the machine is suspended.
  private let renewedAt: Mutex<Duration>

  init(ttl: Duration, takenAt: Duration, clock: any SyncClock, renew: @escaping @Sendable () async throws -> Void) {
    self.ttl = ttl
    self.clock = clock
    self.renew = renew
    renewedAt = Mutex(takenAt)
  }

  /// Runs `body` while the heartbeat renews the lease; cancels it, and returns why, if the lease cannot be kept.
  func whileKept<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> (result: R?, lost: (any Error)?) {
    await withTaskGroup(of: (result: R?, lost: (any Error)?).self) { group in
      group.addTask { (await body(), nil) }
      group.addTask { (nil, await self.heartbeat()) }
      group.addTask { (nil, await self.watch()) }
      var result: R?
      var lost: (any Error)?
      for await event in group {
        if let value = event.result { result = value }
        // Called off because the work has ended, the keeper has nothing to tell.
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
            .tryLater, "the lease could not be renewed for \(age.components.seconds) s, and may be another's by now",
            hint: "run again later; it resumes after the last committed page")
        }
        try await clock.sleep(for: ttl * 2 / 3 - age)
      }
    } catch {
      return error
    }
  }
}
