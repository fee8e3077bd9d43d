import Synchronization

/// Limits the memory that large bodies occupy together, in bytes. It only counts: it allocates no memory. A body has
/// only one reservation, because two growing reservations could deadlock.
package final class ByteBudget: Sendable {
  private struct Waiter {
    let id: Int
    let bytes: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The free bytes, and the calls that wait for bytes.
  private struct WaitQueue {
    var freeBytes: Int
    /// In the order of the calls. The first waiter does not fit, or the list is empty.
    var waiters: [Waiter] = []
    var lastID = 0

    /// Removes the waiters that fit, and reserves their bytes.
    mutating func admit() -> [Waiter] {
      var admitted: [Waiter] = []
      while let first = waiters.first, first.bytes <= freeBytes {
        freeBytes -= first.bytes
        admitted.append(waiters.removeFirst())
      }
      return admitted
    }
  }

  private let queue: Mutex<WaitQueue>
  private let size: Int

  /// Creates a budget of this many bytes of memory, all of them free.
  package init(bytes: Int) {
    size = bytes
    queue = Mutex(WaitQueue(freeBytes: bytes))
  }

  /// Reserves this many bytes of memory. Waits until they are free and all earlier calls have their bytes.
  ///
  /// A number above the size of the whole budget reserves the whole budget. The bytes stay reserved until the
  /// reservation is released or deinitialized.
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  package func reserve(_ bytes: Int) async throws -> ByteReservation {
    if let reservation = reserveNow(bytes) { return reservation }
    let bytes = min(bytes, size)
    let id = queue.withLock { queue in
      queue.lastID += 1
      return queue.lastID
    }

    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, admitted) = queue.withLock { queue in
          // A task that is cancelled later finds its waiter in the list.
          guard !Task.isCancelled else { return (true, [Waiter]()) }
          queue.waiters.append(Waiter(id: id, bytes: bytes, continuation: continuation))
          return (false, queue.admit())
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for waiter in admitted { waiter.continuation.resume() }
      }
    } onCancel: {
      let (cancelled, admitted) = queue.withLock { queue in
        let index = queue.waiters.firstIndex { $0.id == id }
        let cancelled = index.map { queue.waiters.remove(at: $0) }
        return (cancelled, queue.admit())
      }
      cancelled?.continuation.resume(throwing: CancellationError())
      for waiter in admitted { waiter.continuation.resume() }
    }
    return ByteReservation(bytes, of: self)
  }

  /// Reserves this many bytes of memory like `reserve`, but never waits. Returns `nil` if the bytes are not free, or if
  /// another call waits.
  package func reserveNow(_ bytes: Int) -> ByteReservation? {
    let bytes = min(bytes, size)
    let hasRoom = queue.withLock { queue in
      guard queue.waiters.isEmpty, queue.freeBytes >= bytes else { return false }
      queue.freeBytes -= bytes
      return true
    }
    return hasRoom ? ByteReservation(bytes, of: self) : nil
  }

  fileprivate func giveBack(_ bytes: Int) {
    let admitted = queue.withLock { queue in
      queue.freeBytes += bytes
      return queue.admit()
    }
    for waiter in admitted { waiter.continuation.resume() }
  }
}

/// Bytes of memory that are reserved in a `ByteBudget`. The budget gets them back when the reservation is released or
/// deinitialized.
package final class ByteReservation: Sendable {
  private let bytes: Mutex<Int>
  private let budget: ByteBudget

  fileprivate init(_ bytes: Int, of budget: ByteBudget) {
    self.bytes = Mutex(bytes)
    self.budget = budget
  }

  deinit { release() }

  /// Returns all bytes to the budget. Further calls have no effect.
  package func release() { shrink(to: 0) }

  /// Keeps at most `needed` bytes, from 0, and returns the others to the budget. A larger number has no effect, because
  /// a reservation never grows.
  package func shrink(to needed: Int) {
    bytes.withLock { bytes in
      budget.giveBack(max(0, bytes - needed))
      bytes = min(bytes, needed)
    }
  }
}
