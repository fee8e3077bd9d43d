package import LibPQ
import SyncPostgres

extension TestDatabase {
  /// Over the Unix socket, as a superuser.
  package var settings: ConnectionSettings { ConnectionSettings(keywords: settingsKeywords) }

  /// Over the Unix socket, with the rights of the code under test.
  package var productSettings: ConnectionSettings {
    ConnectionSettings(keywords: settingsKeywords.merging(["user": ProductRole.login ?? user]) { $1 })
  }

  /// Over TCP with a password, with the rights of the code under test.
  package var productTCPSettings: ConnectionSettings { tcpSettings(user: productTCPUser, password: tcpPassword) }

  /// Over TCP with a password, in plain text so that a proxy can count messages.
  package func tcpSettings(user: String, password: String) -> ConnectionSettings {
    ConnectionSettings(
      keywords: tcpKeywords.merging(
        ["user": user, "password": password, "sslmode": "disable", "gssencmode": "disable"]) { $1 })
  }
}

extension TestDatabase {
  /// Runs statements one by one in a session of their own, as a superuser, and returns what `psql -At` prints: a line
  /// for each row, fields separated by `|`.
  ///
  /// Not by `psql`: starting a process takes longer than most statements.
  ///
  /// - Throws: `PostgresError` of the first statement that fails; the statements before it stay committed.
  func sql(_ script: String) async throws -> String {
    var settings = self.settings
    settings.acceptsReadOnlyServer = true
    // The machine may be busy.
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

  /// Rows as `psql -At` prints them, each with its line end.
  private static func lines(_ result: borrowing PGResult) throws -> [String] {
    let columns = 0..<result.columnCount
    return try result.map { row in
      try columns.map { column in try row.text(column) ?? "" }.joined(separator: "|") + "\n"
    }
  }

  /// The statements of a script, each without the semicolon that ends it. One that holds the body of a function in
  /// standard SQL (`BEGIN ATOMIC`) is for `ThrowawayPostgres.psql`.
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
