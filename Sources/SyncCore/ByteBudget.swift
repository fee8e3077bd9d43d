import Synchronization

/// The room in this process for large bodies between their arrival and their commit, or memory would grow with the
/// number of requests. A body reserves all that it may need at once: two that wait for each other's rest would wait
/// forever.
package final class ByteBudget: Sendable {
  private let free: Mutex<Int>
  private let size: Int

  package init(bytes: Int) {
    size = bytes
    free = Mutex(bytes)
  }

  /// Waits until there is room, with `pause` before looking again. A larger body gets the whole budget.
  package func reserve(_ bytes: Int, pause: () async throws -> Void) async throws -> ByteReservation {
    let bytes = min(bytes, size)
    while true {
      let hasRoom = free.withLock { free in
        guard free >= bytes else { return false }
        free -= bytes
        return true
      }
      if hasRoom { return ByteReservation(bytes, of: self) }
      try await pause()
    }
  }

  fileprivate func giveBack(_ bytes: Int) { free.withLock { $0 += bytes } }
}

/// Room that a body has. It is given back when the body's items are committed, or when nobody has the body any more.
package final class ByteReservation: Sendable {
  private let bytes: Mutex<Int>
  private let budget: ByteBudget

  fileprivate init(_ bytes: Int, of budget: ByteBudget) {
    self.bytes = Mutex(bytes)
    self.budget = budget
  }

  deinit { release() }

  package func release() { shrink(to: 0) }

  package func shrink(to needed: Int) {
    bytes.withLock { bytes in
      budget.giveBack(max(0, bytes - needed))
      bytes = min(bytes, needed)
    }
  }
}
