import SyncCore
import Synchronization

final class BeforeCommit<R: Sendable>: Sendable {
  private let state = Mutex<(R, number: String?)?>(nil)

  var value: (R, number: String?)? { state.withLock { $0 } }

  func set(_ result: R, number: String?) { state.withLock { $0 = (result, number) } }
}
