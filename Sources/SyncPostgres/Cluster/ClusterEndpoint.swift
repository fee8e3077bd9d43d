import Foundation

/// Where the embedded cluster listens, in the words libpq understands.
///
/// It holds no secret: the server knows its callers by their operating system user.
package struct ClusterEndpoint: Sendable, Equatable {
  /// The private folder that holds the server's socket.
  package var socketDirectory: String
  /// The number in the socket's file name; nothing listens on a network port of that number.
  package var port: Int
  /// The role that owns the mirror.
  package var user: String
  /// The database that holds the mirror.
  package var database: String

  package init(socketDirectory: String, port: Int, user: String = "syncctl", database: String = "syncctl") {
    self.socketDirectory = socketDirectory
    self.port = port
    self.user = user
    self.database = database
  }

  /// The same server's address with another database.
  func with(database: String) -> ClusterEndpoint {
    ClusterEndpoint(socketDirectory: socketDirectory, port: port, user: user, database: database)
  }

  /// The pairs for `PQconnectdbParams`.
  package var keywords: [(String, String)] {
    [("host", socketDirectory), ("port", String(port)), ("user", user), ("dbname", database)]
  }

  /// The same as a connection URL, for `psql` and other clients.
  package var url: String {
    "postgresql:///\(Self.percentEncoded(database))?host=\(Self.percentEncoded(socketDirectory))"
      + "&port=\(port)&user=\(Self.percentEncoded(user))"
  }

  /// Escapes everything but RFC 3986's unreserved characters and `/`, which libpq accepts as it is in a query.
  private static func percentEncoded(_ text: String) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let plain = CharacterSet(charactersIn: letters + letters.uppercased() + "0123456789-._~/")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
  }
}
