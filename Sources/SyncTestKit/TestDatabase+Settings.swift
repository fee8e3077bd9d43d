package import LibPQ

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
