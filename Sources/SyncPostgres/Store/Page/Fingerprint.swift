import Hashing
import LibPQ
import SyncCore

/// Fingerprints of texts that can have secrets, and that are only compared. A reader of `sync.walk` cannot test guesses
/// of a secret without the key, which only the owner and the workers of the mirror can read.
struct Fingerprint {
  private let key: [UInt8]

  /// Loads the key of the database, so that all machines have the same fingerprints.
  init(_ connection: borrowing PGConnection) throws {
    let key = try connection.query("SELECT key FROM sync.fingerprint_key").first { try $0.bytea(0) } ?? nil
    guard let key else {
      throw SyncError(
        .database, "the table sync.fingerprint_key is empty",
        hint: "run this as the owner of the mirror: INSERT INTO sync.fingerprint_key DEFAULT VALUES; walks begin again")
    }
    self.key = key
  }

  /// Returns the fingerprint of a text: `hmac:` and its HMAC-SHA256 in hexadecimal. An empty text stays empty.
  func text(of text: String) -> String {
    text.isEmpty ? "" : "hmac:" + HMACSHA256.code(of: Array(text.utf8), key: key).hexadecimal
  }

  /// Returns the fingerprint of the request parameters of a stream.
  static func parameters(of stream: StreamDescription, _ connection: borrowing PGConnection) throws -> PGParameter {
    .text(try Fingerprint(connection).text(of: stream.parameters))
  }

  /// Returns the fingerprint of the request parameters with which the whole list of a stream is read.
  static func wholeListParameters(
    of stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> PGParameter {
    .text(try Fingerprint(connection).text(of: stream.wholeListParameters ?? stream.parameters))
  }
}
