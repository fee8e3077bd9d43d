internal import CLibPQ
import Synchronization

/// Sends cancel requests for one session. libpq's handle is used and freed only under the lock.
struct Canceller: ~Copyable, Sendable {
  /// `@unchecked` is safe: the pointer is used and freed only inside the mutex of `Canceller`, and libpq allows
  /// `PQcancel` on any thread.
  struct Handle: @unchecked Sendable { let raw: OpaquePointer? }

  private let handle = Mutex(Handle(raw: nil))

  /// Stores the handle and takes ownership of it. Must be called only once, because an earlier handle would not be
  /// freed. Before this call, `request` has no effect.
  borrowing func prepare(_ new: Handle) { handle.withLock { $0 = new } }

  /// Blocks for a round trip on a separate connection. Failures are not reported, because the caller retries.
  borrowing func request() {
    handle.withLock { handle in
      guard let raw = handle.raw else { return }
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        _ = PQcancel(raw, buffer.baseAddress, Int32(buffer.count))
      }
    }
  }

  deinit { handle.withLock { PQfreeCancel($0.raw) } }
}
