package import Foundation
import Synchronization

/// What one request was and how it was answered.
package struct RequestRecord: Sendable, Equatable {
  /// When the answer was ready.
  package var time: Date
  package var method: String
  package var path: String
  package var query: String
  package var status: Int
  /// Length of the body.
  package var bytes: Int

  /// Path and query in one piece, as in a request line.
  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

/// The requests answered so far, in the order their answers were ready.
///
/// A request is recorded before its answer is sent: a client that has the answer finds the request here.
package final class RequestHistory: Sendable {
  /// The number of requests kept; of a longer run only the newest remain.
  package static let limit = 100_000

  private let state = Mutex((records: [RequestRecord](), count: 0))

  package init() {}

  /// The newest requests, oldest first.
  package var records: [RequestRecord] { state.withLock { $0.records } }

  /// The number of requests answered, those no longer kept included.
  package var count: Int { state.withLock { $0.count } }

  func append(_ record: RequestRecord) {
    state.withLock { state in
      // Half goes at once, so that a long run does not shift the array at every request.
      if state.records.count >= Self.limit { state.records.removeFirst(Self.limit / 2) }
      state.records.append(record)
      state.count += 1
    }
  }
}
