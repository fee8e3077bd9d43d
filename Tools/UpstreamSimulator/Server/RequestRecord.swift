package import Foundation

package struct RequestRecord: Sendable, Equatable {
  package var number: Int
  package var time: Date
  /// The arrival time in seconds on the monotonic clock, which all processes share until the machine restarts.
  package var arrival: Double
  package var method: String
  package var path: String
  package var query: String
  package var page: Int?
  package var status: Int?
  package var fault: String?
  package var bytes: Int

  package var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}
