struct ClusterConfiguration: Sendable, Equatable {
  var socketDirectory: String
  var port: Int
  var listenAddresses: String
  var settings: [String: String]
  var hostRules: [String]
  var allowedUsers: [String]

  static let includeLine = "include 'syncctl.conf'\n"

  static let firstLine = "# Written by syncctl at every start."

  var settingsFile: String {
    var lines = ["\(Self.firstLine) Settings of your own: ALTER SYSTEM."]
    var pairs = [
      "listen_addresses": listenAddresses, "unix_socket_directories": socketDirectory, "port": String(port),
      "unix_socket_permissions": "0700", "logging_collector": "off", "log_destination": "stderr",
      "log_line_prefix": "%m [%p] ", "log_min_messages": "warning", "log_timezone": "UTC", "timezone": "UTC",
      "lc_messages": "C", "shared_buffers": "128MB", "max_connections": "100",
      // Most WAL of a walk is full-page images, which this setting compresses.
      "wal_compression": "on", "cluster_name": "syncctl",
    ]
    pairs.merge(settings) { _, further in further }
    lines += pairs.sorted { $0.key < $1.key }.map { "\($0.key) = \(Self.quoted($0.value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  var accessFile: String {
    ([Self.firstLine, "local all syncctl,\(PsqlLogin.role) peer map=syncctl"] + hostRules).joined(separator: "\n")
      + "\n"
  }

  var identityFile: String {
    let lines = allowedUsers.flatMap { user in
      ["syncctl", PsqlLogin.role].map { "syncctl \"\(user.replacing("\"", with: "\"\""))\" \($0)" }
    }
    return ([Self.firstLine] + lines).joined(separator: "\n") + "\n"
  }

  var accessFiles: [(name: String, text: String)] {
    [("pg_hba.conf", accessFile), ("pg_ident.conf", identityFile)]
  }

  private static func quoted(_ value: String) -> String {
    "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
  }
}
