package import LibPQ
import SyncPostgres

extension TestDatabase {
  /// Connects through the Unix socket as a superuser.
  package var settings: ConnectionSettings { ConnectionSettings(keywords: settingsKeywords) }

  package var productSettings: ConnectionSettings {
    ConnectionSettings(keywords: settingsKeywords.merging(["user": ProductRole.login ?? user]) { $1 })
  }

  /// Connects by TCP and password with the rights of the code under test.
  package var productTCPSettings: ConnectionSettings { tcpSettings(user: productTCPUser, password: tcpPassword) }

  /// Connects by TCP without encryption, so that a proxy can count messages.
  package func tcpSettings(user: String, password: String) -> ConnectionSettings {
    ConnectionSettings(
      keywords: tcpKeywords.merging(
        ["user": user, "password": password, "sslmode": "disable", "gssencmode": "disable"]) { $1 })
  }
}

extension TestDatabase {
  /// Runs statements one by one in a new session as a superuser, and returns rows in the format of `psql -At`. Does not
  /// start `psql`, because its start takes longer than most statements.
  ///
  /// - Throws: `PostgresError` of the first failed statement. Earlier statements stay committed.
  func sql(_ script: String) async throws -> String {
    var settings = self.settings
    settings.acceptsReadOnlyServer = true
    settings["connect_timeout"] = "60"
    let connection = try await PostgresConnection.connect(settings, deadline: .seconds(60))
    do {
      let lines = try await connection.withConnection(answerWithin: .seconds(60)) { connection in
        var lines: [String] = []
        for statement in Self.statements(script) {
          lines += try Self.lines(connection.query(SQL(trusted: statement)))
        }
        return lines
      }
      await connection.close()
      return lines.joined()
    } catch {
      await connection.close()
      throw error
    }
  }

  private static func lines(_ result: borrowing PGResult) throws -> [String] {
    let columns = 0..<result.columnCount
    return try result.map { row in
      try columns.map { column in try row.text(column) ?? "" }.joined(separator: "|") + "\n"
    }
  }

  /// Splits a script into statements without their semicolons. Functions with a body in standard SQL (`BEGIN ATOMIC`)
  /// need `ThrowawayPostgres.psql`.
  private static func statements(_ script: String) -> [String] {
    var scanner = SQLScanner(script + "\n;")
    var statements: [String] = []
    var start: Int?
    while let (token, range) = scanner.next() {
      switch token {
      case .blank: continue
      case .end:
        if let start { statements.append(scanner.text(start..<range.lowerBound)) }
        start = nil
      case .parameter, .other: start = start ?? range.lowerBound
      }
    }
    return statements
  }
}
