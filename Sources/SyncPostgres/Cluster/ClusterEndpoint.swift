import SyncCore

/// The embedded cluster's address. It contains no password, because the server identifies callers by their system user.
package struct ClusterEndpoint: Sendable, Equatable {
  package var socketDirectory: String
  package var port: Int
  package var user: String
  package var database: String

  /// `port` is the number in the socket's name. The default user and database are those of an embedded cluster.
  package init(socketDirectory: String, port: Int, user: String = "syncctl", database: String = "syncctl") {
    self.socketDirectory = socketDirectory
    self.port = port
    self.user = user
    self.database = database
  }

  func with(database: String) -> ClusterEndpoint {
    ClusterEndpoint(socketDirectory: socketDirectory, port: port, user: user, database: database)
  }

  package var keywords: [(String, String)] {
    [("host", socketDirectory), ("port", String(port)), ("user", user), ("dbname", database)]
  }

  package var url: String {
    "postgresql:///\(database.percentEncoded(keeping: "/"))?host=\(socketDirectory.percentEncoded(keeping: "/"))"
      + "&port=\(port)&user=\(user.percentEncoded(keeping: "/"))"
  }
}
