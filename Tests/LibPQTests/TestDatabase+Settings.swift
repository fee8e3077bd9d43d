import LibPQ
import SyncTestKit

extension TestDatabase {
  /// Over the Unix socket, as a superuser.
  var settings: ConnectionSettings { ConnectionSettings(keywords: settingsKeywords) }

  /// Over TCP with a password, in plain text so that a proxy can count messages.
  func tcpSettings(user: String, password: String) -> ConnectionSettings {
    ConnectionSettings(
      keywords: tcpKeywords.merging(
        ["user": user, "password": password, "sslmode": "disable", "gssencmode": "disable"]) { $1 })
  }
}
