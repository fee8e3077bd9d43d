/// The texts of the cluster's configuration files.
struct ClusterConfiguration: Sendable, Equatable {
  var socketDirectory: String
  var port: Int
  /// Addresses to listen on; empty for none.
  var listenAddresses: String
  /// Further settings, which win over those here.
  var settings: [String: String]
  /// Rules for network clients, added to `pg_hba.conf`.
  var hostRules: [String]
  var allowedUsers: [String]

  static let includeLine = "include 'syncctl.conf'\n"

  static let firstLine = "# Written by syncctl at every start."

  /// `syncctl.conf`: all that differs from PostgreSQL's defaults. `fsync` and `synchronous_commit` stay on.
  var settingsFile: String {
    var lines = ["\(Self.firstLine) Settings of your own: ALTER SYSTEM."]
    var pairs = [
      "listen_addresses": listenAddresses, "unix_socket_directories": socketDirectory, "port": String(port),
      "unix_socket_permissions": "0700", "logging_collector": "off", "log_destination": "stderr",
      "log_line_prefix": "%m [%p] ", "log_min_messages": "warning", "log_timezone": "UTC", "timezone": "UTC",
      "lc_messages": "C", "shared_buffers": "128MB", "max_connections": "100",
      // A walk writes few row changes; most of it is page images after a checkpoint.
      "wal_compression": "on",
      // Process lists do not show which cluster a server belongs to; this name does.
      "cluster_name": "syncctl",
    ]
    pairs.merge(settings) { _, further in further }
    lines += pairs.sorted { $0.key < $1.key }.map { "\($0.key) = \(Self.quoted($0.value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `pg_hba.conf`: only peer authentication over the socket.
  var accessFile: String {
    ([Self.firstLine, "local all syncctl peer map=syncctl"] + hostRules)
      .joined(separator: "\n") + "\n"
  }

  var identityFile: String {
    let lines = allowedUsers.map { "syncctl \"\($0.replacing("\"", with: "\"\""))\" syncctl" }
    return ([Self.firstLine] + lines).joined(separator: "\n") + "\n"
  }

  private static func quoted(_ value: String) -> String {
    "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
  }
}
