/// The limits of connections and statements, with the rules of PostgreSQL that they follow.
package enum PostgresLimits {
  /// The oldest supported major version of the server.
  package static let oldestServer = 15
  /// The maximum number of a statement's parameters. The protocol counts them in 16 bits.
  package static let maxParameters = 65_535
  /// The maximum total size of a statement's parameters. The server refuses messages of 1 GiB.
  package static let maxParameterBytes = 1_000_000_000
  /// The default time for connecting, all hosts together.
  package static let connectDeadline: Duration = .seconds(10)
  /// The interval at which a connecting call checks whether its task was cancelled.
  static let connectPollSliceMilliseconds: Int64 = 50
  /// The pause between two cancel requests. A request is repeated because it can arrive before its statement.
  static let cancelRetryMilliseconds = 25
  /// The longest wait for the reply to a cancel request after its statement has ended. After this time, the connection
  /// is closed.
  static let cancelInFlightSeconds = 2
  /// The time from a cancellation to the shutdown of the call's socket.
  static let cancelGraceSeconds = 5
}
