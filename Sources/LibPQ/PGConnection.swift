internal import CLibPQ
import Synchronization

/// A session with a server, used only on its own thread and inside the closure that borrows it. `PostgresConnection`
/// opens the session and lends it to its callers.
package struct PGConnection: ~Copyable {
  private let raw: OpaquePointer
  let monitor: CallMonitor

  /// Takes ownership of the handle. `PQfinish` must free it even if connecting failed.
  init(raw: OpaquePointer, monitor: CallMonitor) {
    self.raw = raw
    self.monitor = monitor
    // The empty receiver keeps libpq from printing the server's notices.
    _ = PQsetNoticeReceiver(raw, { _, _ in }, nil)
    LiveHandles.countConnection(1)
  }

  deinit {
    PQfinish(raw)
    LiveHandles.countConnection(-1)
  }

  /// Runs one statement with parameters `$1`, `$2`, … and returns its result.
  ///
  /// Throws `.nulInText`, `.tooManyParameters` or `.cancelled` before the statement is sent, and `.server`,
  /// `.connection` or `.timeout` afterwards. COPY throws `.usage` and makes the connection unusable.
  @discardableResult
  package borrowing func query(_ sql: SQL, _ parameters: [PGParameter] = []) throws(PostgresError) -> PGResult {
    try Self.refuseNUL(in: sql)
    let encoded = try EncodedParameters(parameters)
    try beginStatement()
    defer { monitor.statementEnds() }
    return try checked(collect(send(sql, encoded)))
  }

  /// Runs a query without keeping its rows. Calls `body` with each row as a result of its own, and at the end once with
  /// a result without rows. After an error of `body`, the other rows are read and dropped.
  ///
  /// - Throws: the errors of `query`, also after the first rows, and the errors of `body`.
  package borrowing func stream(
    _ sql: SQL, _ parameters: [PGParameter] = [], _ body: (borrowing PGResult) throws -> Void
  ) throws {
    try Self.refuseNUL(in: sql)
    let encoded = try EncodedParameters(parameters)
    try beginStatement()
    defer { monitor.statementEnds() }

    let sent = send(sql, encoded)
    if sent == 1 { _ = PQsetSingleRowMode(raw) }
    var failure: (any Error)?
    let last = try checked(
      collect(sent) { row in
        guard failure == nil else { return }
        do { try body(row) } catch { failure = error }
      })
    if let failure { throw failure }
    try body(last)
  }

  /// Returns 1 if libpq accepted the statement.
  private borrowing func send(_ sql: SQL, _ encoded: EncodedParameters) -> Int32 {
    // libpq copies bytes that it cannot send at once, so the pointers are needed only during this call.
    encoded.bytes.withUnsafeBytes { bytes in
      let values = encoded.offsets.map { offset in
        offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return PQsendQueryParams(
        raw, sql.text, Int32(encoded.types.count), encoded.types, values, encoded.lengths, encoded.formats, 0)
    }
  }

  /// Returns the first column of all rows. NULL becomes an empty text. Throws the errors of `query`, and
  /// `.invalidUTF8`.
  package borrowing func texts(_ sql: SQL, _ parameters: [PGParameter] = []) throws -> [String] {
    try query(sql, parameters).map { try $0.text(0) ?? "" }
  }

  /// Returns whether the first column of the first row is true. NULL and a result without rows are false. Throws the
  /// errors of `query`, and `.invalidValue` if the column is not a Boolean.
  package borrowing func isTrue(_ sql: SQL, _ parameters: [PGParameter] = []) throws -> Bool {
    try query(sql, parameters).first { try $0.bool(0) ?? false } ?? false
  }

  /// Runs several statements without parameters and ignores their rows. They belong to the open transaction. Without
  /// one, they form a transaction of their own, unless they contain BEGIN, COMMIT or ROLLBACK.
  ///
  /// Throws the errors of `query`. Such an error is not safe to retry, because the script can have committed earlier
  /// statements.
  package borrowing func script(_ sql: SQL) throws(PostgresError) {
    try Self.refuseNUL(in: sql)
    try beginStatement()
    defer { monitor.statementEnds() }
    _ = try checked(collect(PQsendQuery(raw, sql.text)), isScript: true)
  }

  /// Runs BEGIN, COMMIT or ROLLBACK. A cancellation does not stop the statement, because its outcome must be known.
  borrowing func uninterrupted(_ sql: String) throws(PostgresError) -> PGResult {
    try checked(collect(PQsendQuery(raw, sql)))
  }

  /// Returns the name as a quoted SQL identifier, with the quotation marks. Throws `.nulInText` for a NUL character,
  /// and `.usage` if libpq cannot quote the name.
  package borrowing func escapedIdentifier(_ name: String) throws(PostgresError) -> String {
    try escaped(name, PQescapeIdentifier)
  }

  /// Returns the value as a quoted SQL literal, with the quotation marks. Throws `.nulInText` or `.usage`.
  borrowing func escapedLiteral(_ value: String) throws(PostgresError) -> String {
    try escaped(value, PQescapeLiteral)
  }

  /// The server's version as a number, such as 150018 for 15.18. 0 if the server or pooler does not report a version.
  package var serverVersion: Int { Int(PQserverVersion(raw)) }
  /// The process id of the session on the server. A pooler can report a number of its own.
  package var backendPID: Int32 { PQbackendPID(raw) }

  /// The connection's actual database, host, port and user, such as `mirror at [::1]:5432 as app`. A host can be the
  /// folder of a Unix socket.
  package var address: String {
    func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    let host = text(PQhost(raw))
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(text(PQdb(raw))) at \(shown):\(text(PQport(raw))) as \(text(PQuser(raw)))"
  }

  /// Returns a parameter that the server reports by itself, such as `server_version`. Returns `nil` for all other
  /// parameters.
  package borrowing func parameterStatus(_ name: String) -> String? {
    PQparameterStatus(raw, name).map { String(cString: $0) }
  }

  /// Whether no transaction is open.
  package var isIdle: Bool { PQtransactionStatus(raw) == PQTRANS_IDLE }
  /// Whether a transaction is open that has not failed.
  var isInTransaction: Bool { PQtransactionStatus(raw) == PQTRANS_INTRANS }

  /// Whether the connection is lost. No further statement can succeed.
  var isBroken: Bool { PQstatus(raw) != CONNECTION_OK || monitor.isLost }
  var socket: Int32 { PQsocket(raw) }

  borrowing func pollConnecting() -> PostgresPollingStatusType { PQconnectPoll(raw) }

  borrowing func stopBlocking() { _ = PQsetnonblocking(raw, 1) }

  borrowing func flush() -> Int32 { PQflush(raw) }

  var isBusy: Bool { PQisBusy(raw) == 1 }

  borrowing func consumeInput() -> Bool { PQconsumeInput(raw) == 1 }

  /// Verbose messages contain the SQLSTATE. If connecting fails, no function of libpq returns the SQLSTATE.
  borrowing func setVerboseErrors(_ verbose: Bool) {
    _ = PQsetErrorVerbosity(raw, verbose ? PQERRORS_VERBOSE : PQERRORS_DEFAULT)
  }

  /// Must be called after connecting. Before that, libpq does not know the server process.
  borrowing func prepareToCancel() { monitor.canceller.prepare(.init(raw: PQgetCancel(raw))) }

  var lastMessage: String { Self.oneLine(PQerrorMessage(raw)) }

  private borrowing func beginStatement() throws(PostgresError) {
    guard monitor.statementBegins() else {
      throw PostgresError(.cancelled, "the task was cancelled before the statement was sent")
    }
  }

  private static func refuseNUL(in sql: SQL) throws(PostgresError) {
    if sql.text.utf8.contains(0) { throw PostgresError(.nulInText, "the statement's text contains a NUL character") }
  }

  private borrowing func escaped(
    _ text: String, _ escape: (OpaquePointer?, UnsafePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
  ) throws(PostgresError) -> String {
    guard !text.utf8.contains(0) else { throw PostgresError(.nulInText, "a name or literal contains a NUL character") }
    guard let quoted = escape(raw, text, text.utf8.count) else {
      throw PostgresError(.usage, "libpq could not quote a name or literal: \(lastMessage)")
    }
    defer { PQfreemem(quoted) }
    return String(cString: quoted)
  }

  /// Returns the last result. After errors, returns the first error, because later errors can lack a SQLSTATE.
  private borrowing func collect(
    _ sent: Int32, row: (borrowing PGResult) -> Void = { _ in }
  ) throws(PostgresError) -> OpaquePointer? {
    guard sent == 1 else { return nil }
    var kept: OpaquePointer?
    while true {
      do throws(PostgresError) { try awaitAnswer() } catch {
        PQclear(kept)
        throw error
      }
      guard let next = PQgetResult(raw) else { return kept }
      if PQresultStatus(next) == PGRES_SINGLE_TUPLE {
        row(PGResult(raw: next))
        continue
      }
      if let previous = kept, PQresultStatus(previous) == PGRES_FATAL_ERROR {
        PQclear(next)
        continue
      }
      PQclear(kept)
      kept = next
      // libpq would wait forever for the end of a COPY. `checked` makes the connection unusable instead.
      if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(PQresultStatus(next)) { return kept }
    }
  }

  private borrowing func checked(_ result: OpaquePointer?, isScript: Bool = false) throws(PostgresError) -> PGResult {
    guard let result else { throw failure(nil, isScript: isScript) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
      return PGResult(raw: result)
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      PQclear(result)
      monitor.taint()
      throw PostgresError(.usage, "COPY is not supported; the connection is given up", isSafeToRetry: false)
    default:
      let fields = PostgresError.ServerFields(result)
      PQclear(result)
      throw failure(fields, isScript: isScript)
    }
  }

  private borrowing func failure(_ fields: PostgresError.ServerFields?, isScript: Bool) -> PostgresError {
    let said = fields.flatMap { $0.message.isEmpty ? nil : $0.message } ?? lastMessage
    let server = fields.flatMap { $0.sqlState == nil ? nil : $0 }
    // An error without a SQLSTATE comes from sending or reading. `PQstatus` can still report a good connection.
    if fields != nil, server == nil { monitor.lose() }
    if isBroken {
      let message = said.isEmpty ? "the connection to the server is lost" : said
      return PostgresError(.connection, message, server: server, isConnectionLost: true, isSafeToRetry: false)
    }
    guard let server else {
      let message = said.isEmpty ? "libpq refused the statement without a reason" : said
      return PostgresError(.usage, message, isSafeToRetry: false)
    }
    // A single statement that fails has no effect. A script can have committed earlier statements.
    return PostgresError(.server, said, server: server, isSafeToRetry: !isScript)
  }

  static func oneLine(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

extension PostgresError.ServerFields {
  /// Copies the error's fields. The letters are the values of libpq's `PG_DIAG_…` macros, which Swift does not import.
  fileprivate init(_ result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    sqlState = field("C").flatMap { SQLState($0) }
    message = field("M") ?? PGConnection.oneLine(PQresultErrorMessage(result))
    hint = field("H")
    position = field("P").flatMap { Int($0) }
    detail = field("D")
    context = field("W")
    constraint = field("n")
  }
}

/// Counts the open connections and unfreed results of this process, for metrics and for tests that look for leaks.
package enum LiveHandles {
  private static let connections = Atomic(0)
  private static let results = Atomic(0)

  static func countConnection(_ change: Int) { connections.add(change, ordering: .relaxed) }
  static func countResult(_ change: Int) { results.add(change, ordering: .relaxed) }

  package static var connectionCount: Int { connections.load(ordering: .relaxed) }
  package static var resultCount: Int { results.load(ordering: .relaxed) }
}
