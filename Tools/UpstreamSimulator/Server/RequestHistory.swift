package import Foundation
import Synchronization

/// What one request was and how it was answered.
package struct RequestRecord: Sendable, Equatable {
  /// Its place among all requests of the server, from 1 on.
  package var number: Int
  /// When the head of the request had arrived.
  package var time: Date
  /// The same moment on this machine's monotonic clock, in seconds; comparable between processes, for as long as the
  /// machine is up.
  package var arrival: Double
  package var method: String
  package var path: String
  package var query: String
  /// The requested page, if the query names one.
  package var page: Int?
  /// Nil where no answer was ever meant to come.
  package var status: Int?
  /// The name of the rule it fell under, such as `reset`; nil for the right answer.
  package var fault: String?
  /// Bytes of the body that were meant to be sent.
  package var bytes: Int

  /// Path and query in one piece, as in a request line.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

/// The answered requests, in the order in which their answers were ready.
///
/// A request is recorded before its answer is sent: a client that has the answer finds the request here.
package final class RequestHistory: Sendable {
  /// The number of requests kept; of a longer run only the newest remain.
  package static let limit = 100_000

  private let state = Mutex((records: [RequestRecord](), count: 0, arrived: 0))

  package init() {}

  /// The newest requests, oldest first.
  package var records: [RequestRecord] { state.withLock { $0.records } }

  /// The number of requests answered, those no longer kept included.
  package var count: Int { state.withLock { $0.count } }

  /// The number of a request that has just arrived.
  func nextNumber() -> Int {
    state.withLock { state in
      state.arrived += 1
      return state.arrived
    }
  }

  func append(_ record: RequestRecord) {
    state.withLock { state in
      // Half is removed at once, so that a long run does not shift the array at every request.
      if state.records.count >= Self.limit { state.records.removeFirst(Self.limit / 2) }
      state.records.append(record)
      state.count += 1
    }
  }
}
