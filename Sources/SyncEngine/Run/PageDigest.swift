import Hashing
import SyncCore

/// The digest that shows whether reading a body again would find the same items.
enum PageDigest {
  /// Must be increased if a new reader or scanner returns different results for the same body.
  private static let readerVersion: UInt8 = 2
  private static let bytes = 16

  /// Returns half of a SHA-256 as hexadecimal digits.
  /// - Parameters:
  ///   - link: The header with the next page's address, if the stream reads it.
  ///   - mappingVersion: The version of the stream's mapping. A new mapping makes all stored digests different.
  static func of(_ body: [UInt8], link: String? = nil, mappingVersion: Int) -> String {
    var hash = SHA256()
    hash.update(data: [readerVersion] + Array("\(mappingVersion)\n".utf8))
    hash.update(data: body)
    if let link { hash.update(data: Array(link.utf8)) }
    return hash.finalize().prefix(bytes).hexadecimal
  }
}
