package import LibPQ

extension TestDatabase {
  /// Over the Unix socket, as a superuser.
  package var settings: ConnectionSettings { ConnectionSettings(keywords: settingsKeywords) }

  /// Over TCP with a password, in plain text so that a proxy can count messages.
  package func tcpSettings(user: String, password: String) -> ConnectionSettings {
    ConnectionSettings(
      keywords: tcpKeywords.merging(
        ["user": user, "password": password, "sslmode": "disable", "gssencmode": "disable"]) { $1 })
  }
}
