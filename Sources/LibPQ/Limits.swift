package enum PostgresLimits {
  /// The limit of parameters of a statement, because the protocol counts them in 16 bits.
  package static let maxParameters = 65_535
  /// The limit of bytes of all parameters of a statement. The server refuses messages of 1 GiB.
  package static let maxParameterBytes = 1_000_000_000
  package static let connectDeadline: Duration = .seconds(10)
  static let connectPollSliceMilliseconds: Int64 = 50
  /// The pause between two cancel requests for one statement. The first can overtake its statement.
  static let cancelRetryMilliseconds = 25
  /// The longest time that a statement's end waits for a running cancel request.
  static let cancelInFlightSeconds = 2
  /// The time that a cancelled call has before its socket is shut down.
  static let cancelGraceSeconds = 5
}
