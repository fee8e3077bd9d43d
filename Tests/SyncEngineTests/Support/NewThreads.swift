import Foundation
import Synchronization

/// Calls `work` with each number below `count` on new threads. A simulation runs jobs of tasks, and a job must not run
/// inside another job, so a simulation cannot use the threads of Swift's pool.
///
/// - Returns: The collected results of each thread.
func onNewThreads<Gathered: Sendable>(
  _ count: Int, from empty: Gathered, _ work: @escaping @Sendable (Int, inout Gathered) -> Void
) async -> [Gathered] {
  let next = NextNumber()
  return await withTaskGroup(of: Gathered.self) { group in
    for _ in 0..<min(4, max(1, ProcessInfo.processInfo.activeProcessorCount)) {
      group.addTask {
        await withCheckedContinuation { continuation in
          let thread = Thread {
            var gathered = empty
            while case let number = next.take(), number < count { work(number, &gathered) }
            continuation.resume(returning: gathered)
          }
          thread.stackSize = 8 << 20
          thread.start()
        }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
}

private final class NextNumber: Sendable {
  private let value = Atomic(0)

  func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
