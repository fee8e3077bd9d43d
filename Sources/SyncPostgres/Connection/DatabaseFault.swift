import LibPQ
import SyncCore

extension SyncError {
  init(_ error: PostgresError, place: String, _ settings: ConnectionSettings = ConnectionSettings()) {
    let (code, hint) = Self.judge(error, settings)
    self.init(code, "database \(place): \(Excerpt.of(error.message, scalars: 400))", hint: hint, disposition: .stopRun)
  }

  static let schemaHint =
    "the schema differs from syncctl's (syncctl migrate --status): if a newer syncctl has changed it, use that one; "
    + "otherwise restore the missing objects from a backup, or mirror into a new database"

  /// The advice for a server that does not answer. A caller that knows where the address is from names that place.
  package static let unreachableHint = "check that the server is up and that its address is right (syncctl doctor)"

  private static let lostMachineHint =
    "another machine of the Citus cluster does not answer; syncctl doctor names its schemas"

  /// Whether a statement needed a machine of a Citus cluster that does not answer.
  var isAboutLostMachine: Bool { hint == Self.lostMachineHint }

  private static let valueHint =
    "a value in an argument, a file or a row of the database is invalid; correct the value that the message names"

  private static func logHint(of state: SQLState) -> String { "see the server's log for more (SQLSTATE \(state))" }

  /// Whether the server cancelled the statement, for example because of its timeout.
  package var isCancelledStatement: Bool { code == .database && hint == Self.logHint(of: .queryCanceled) }

  private static let readOnlyHint =
    "this server is read-only, as a standby is, and answers only commands that write nothing: give the address of the "
    + "primary, or of all servers (host1,host2)"

  private static func createdb(_ settings: ConnectionSettings) -> String {
    let user = settings["user"]
    let options = [("host", settings["host"] ?? settings["hostaddr"]), ("port", settings["port"]), ("username", user)]
    let words = options.compactMap { name, value in value.map { "--\(name)=\($0.shellWord)" } }
    return (["createdb"] + words + [(settings["dbname"] ?? user ?? "NAME").shellWord]).joined(separator: " ")
  }

  private static func judge(_ error: PostgresError, _ settings: ConnectionSettings) -> (Code, String) {
    guard let state = error.sqlState else {
      switch error.code {
      case .serverEncoding:
        return (.configuration, "create a database with ENCODING 'UTF8' TEMPLATE template0 and use that one")
      case .serverVersion:
        return (
          .configuration,
          "use a newer server; for the embedded PostgreSQL, install a newer version and run syncctl db upgrade"
        )
      case .timeout:
        return (.database, "look at the server, at the network, and at the pooler or proxy in between (syncctl doctor)")
      case .settings: return (.configuration, "correct the database settings (syncctl config)")
      case .nulInText, .invalidUTF8, .invalidValue: return (.configuration, valueHint)
      default:
        // Other SSL errors can mean that a connection broke during the handshake.
        if ["certificate", "does not support SSL", "unsupported protocol"].contains(where: error.message.contains) {
          return (
            .configuration,
            "beyond this machine the server's certificate is verified: give sslrootcert, or set sslmode=disable "
              + "(or require) in the URL or PGSSLMODE if the network is yours"
          )
        }
        // libpq's own errors have no SQLSTATE. Their texts are English, because syncctl sets no locale.
        if error.message.contains("no password supplied") {
          return (.permission, "give the password in a passfile or PGPASSWORD; never as an argument")
        }
        if error.message.contains("session is read-only") { return (.database, readOnlyHint) }
        return (.database, unreachableHint)
      }
    }
    switch state {
    case _ where error.isNodeAway:
      return (.database, lostMachineHint)
    case .invalidPassword, .invalidAuthorizationSpecification:
      return (.permission, "check the user and the password (a passfile or PGPASSWORD; never an argument)")
    case .invalidCatalogName:
      return (.configuration, "create the database first: \(createdb(settings))")
    case .insufficientPrivilege:
      return (
        .permission,
        "syncctl doctor names the GRANT that is missing; queries need syncctl_reader, favorites syncctl_user, "
          + "migrations the owner"
      )
    case .tooManyConnections:
      return (.tryLater, "all connections of the server are in use; run again later")
    case .diskFull:
      return (.database, "free space on the database server's disk")
    case .lockNotAvailable:
      return (.tryLater, "another session holds a lock on the mirror; run again later")
    case .readOnlySqlTransaction:
      return (.database, readOnlyHint)
    case _ where ["3F", "42"].contains(state.classCode) && error.usersFunction != nil:
      return (
        .configuration,
        "the function \(error.usersFunction ?? ""), which syncctl did not make, failed: correct it, or drop the trigger "
          + "or view that calls it"
      )
    case .featureNotSupported:
      return (
        .configuration,
        "if a rule on one of syncctl's tables changes its writes, drop the rule, then run again (SQLSTATE \(state))"
      )
    case .syntaxError:
      return (
        .configuration,
        "the server does not understand a statement of syncctl; syncctl doctor names the server (SQLSTATE \(state))"
      )
    case _ where state.classCode == "42" || state == .invalidSchemaName:
      return (.configuration, schemaHint)
    case _ where state.classCode == "22" && state != .divisionByZero:
      return (.configuration, "\(valueHint) (SQLSTATE \(state))")
    default:
      return (.database, logHint(of: state))
    }
  }
}

extension PostgresError {
  /// The PL/pgSQL function that ran the failed statement, if the function is in the schema `public`.
  fileprivate var usersFunction: String? {
    guard let name = server?.context?.firstMatch(of: /PL\/pgSQL[^\n(]*? ([^ (]+\([^)\n]*\))/)?.output.1,
      !name.prefix(while: { $0 != "(" }).contains(".") || name.hasPrefix("public.")
    else { return nil }
    return Excerpt.of(String(name), scalars: 100)
  }
}
