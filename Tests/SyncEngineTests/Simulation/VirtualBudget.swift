import SyncCore
import SyncEngine
import SyncTestKit

/// The rate budget of a world. In most worlds, all processes share one budget. In the other worlds, each process has a
/// budget of its own.
final class VirtualBudget: @unchecked Sendable {
  // `@unchecked Sendable`, because one thread runs all tasks of a world.

  let database: VirtualDatabase
  let windows: [RateWindow]
  let isShared: Bool
  fileprivate var state: SlidingWindows
  fileprivate(set) var pauses: [(from: Duration, until: Duration)] = []

  init(database: VirtualDatabase, windows: [RateWindow]) {
    self.database = database
    self.windows = windows
    isShared = database.world.happens(0.85)
    state = SlidingWindows(windows)
  }

  func handle(of process: VirtualProcess) -> any RateBudget {
    guard isShared else { return LocalRateBudget(windows: windows, clock: process.clock) }
    return Handle(budget: self, process: process, slack: RateWindow.slack(of: windows))
  }

  private struct Handle: RateBudget {
    let budget: VirtualBudget
    let process: VirtualProcess
    let slack: Duration?

    private var world: World { process.world }

    func take() async throws -> RatePermit {
      let permit = try await budget.database.transaction("take", for: process, isQuick: true) {
        process.heardAt = world.now
        let now = budget.database.now
        let wait = budget.state.reserve(now: now, longestWait: Limits.longestPermitWait) - now
        let isReserved = wait <= Limits.longestPermitWait
        return (
          time: world.now + wait, takenAt: world.now, budgetTime: isReserved ? budget.state.reading + wait : nil
        )
      }
      // If the database answers late, its delay is subtracted from the wait.
      let isLate = world.now - permit.takenAt > Self.usualReturn
      let wait = permit.time - (isLate ? world.now : permit.takenAt)
      return RatePermit(wait: wait, time: permit.budgetTime)
    }

    func giveBack(_ permit: RatePermit) async throws {
      try await budget.database.transaction("giveBack", for: process, isQuick: true) {
        process.heardAt = world.now
        if let time = permit.time { budget.state.giveBack(time) }
      }
    }

    private static let usualReturn: Duration = .milliseconds(2)

    func pause(for duration: Duration) async throws {
      try await budget.database.transaction("pause", for: process, isQuick: true) {
        world.note(.pause, process.id, Int(duration.nanoseconds))
        process.heardAt = world.now
        budget.state.pause(for: duration, now: budget.database.now)
        budget.pauses.append((world.now, world.now + duration))
      }
    }

    func remainingPause() async throws -> Duration {
      try await budget.database.transaction("pauseLeft", for: process, isQuick: true) {
        process.heardAt = world.now
        return budget.state.remainingPause(now: budget.database.now)
      }
    }
  }
}
