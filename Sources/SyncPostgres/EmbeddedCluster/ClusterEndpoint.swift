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
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var encoded = String.UnicodeScalarView()
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
        encoded.append(Unicode.Scalar(byte))
      default:
        encoded.append("%")
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
    return String(encoded)
  }
}
