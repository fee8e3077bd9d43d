import Synchronization

/// A request is recorded before its answer is sent.
package final class RequestHistory: Sendable {
  package static let limit = 100_000

  private let state = Mutex((records: [RequestRecord](), count: 0, arrived: 0))

  package init() {}

  package var records: [RequestRecord] { state.withLock { $0.records } }

  package var count: Int { state.withLock { $0.count } }

  func nextNumber() -> Int {
    state.withLock { state in
      state.arrived += 1
      return state.arrived
    }
  }

  func append(_ record: RequestRecord) {
    state.withLock { state in
      if state.records.count >= Self.limit { state.records.removeFirst(Self.limit / 2) }
      state.records.append(record)
      state.count += 1
    }
  }
}
