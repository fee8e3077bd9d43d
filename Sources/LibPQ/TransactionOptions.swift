/// The properties of a transaction, which one message sets together with BEGIN. They end with the transaction, so they
/// also hold behind a pooler that assigns a server session to each transaction.
package struct TransactionOptions: Sendable {
  /// An isolation level. The raw value is its name in SQL.
  package enum Isolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
  }

  /// A configuration parameter that is set for the transaction only, like SET LOCAL. Name and value are quoted, so they
  /// can contain any text without NUL.
  package struct LocalSetting: Sendable {
    package let name: String
    package let value: String

    /// Neither text is checked here. A NUL character makes the transaction throw `.nulInText`.
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package var isReadOnly: Bool
  /// The isolation level. `nil` means the server's default.
  package var isolation: Isolation?
  /// The parameters in the order in which they are set.
  package var localSettings: [LocalSetting]
  /// A Boolean expression in SQL, which is evaluated after the settings. It is sent as it is, so it must not contain
  /// external text.
  package var afterSettings: String?
  /// The longest silence of the server. After this time, the connection counts as lost (`.timeout`).
  package var answerLimit: Duration?

  /// Creates the options of a transaction. Without arguments, the transaction is read-write.
  /// - Parameters:
  ///   - isolation: The isolation level. `nil` means the server's default.
  ///   - localSettings: Parameters that are set, in this order, until the end of the transaction.
  ///   - limit: The longest silence of the server, not the time of the whole transaction (`answerLimit`). After it, the
  ///     connection is lost and the call throws `.timeout`. `nil` means no limit.
  package init(
    isReadOnly: Bool = false, isolation: Isolation? = nil, localSettings: [LocalSetting] = [],
    answerWithin limit: Duration? = nil
  ) {
    self.isReadOnly = isReadOnly
    self.isolation = isolation
    self.localSettings = localSettings
    answerLimit = limit
  }
}
