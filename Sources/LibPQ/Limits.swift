/// Every limit of this module in one place.
package enum PostgresLimits {
  /// Parameters of one statement: the protocol counts them in 16 bits.
  package static let maxParameters = 65_535
  /// Bytes of all parameters of one statement; the server refuses messages of 1 GiB and more.
  package static let maxParameterBytes = 1_000_000_000
  /// Time to reach a usable connection, over all hosts.
  package static let connectDeadline: Duration = .seconds(10)
  /// How often a connection attempt checks whether its task was cancelled.
  static let connectPollSliceMilliseconds: Int64 = 50
  /// Pause between two cancel requests for one statement: the first may overtake the statement itself.
  static let cancelRetryMilliseconds = 25
  /// How long a statement's end waits for a running cancel request, which might otherwise hit the next statement.
  static let cancelInFlightSeconds = 2
  /// How long a cancelled call may continue before its socket is shut down.
  static let cancelGraceSeconds = 5
}
