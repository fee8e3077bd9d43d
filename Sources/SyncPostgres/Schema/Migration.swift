import EmbeddedSQL
import Hashing

/// A file in a folder `migrations` of `sql`. All files share one sequence of versions. Released files never change.
package struct Migration: Sendable, Equatable {
  package let version: Int
  package let name: String
  let text: String
  let checksum: [UInt8]

  var schemas: [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init).compactMap { line in
      line.hasPrefix("CREATE SCHEMA ") ? line.dropFirst(14).prefix { $0 != ";" }.description : nil
    }.filter { !$0.contains(" ") }
  }

  /// The text for servers that were built without LZ4. The checksum stays that of `text`.
  var textWithoutLZ4: String { text.replacing(" COMPRESSION lz4", with: "") }

  init?(path: String, text: String) {
    guard let file = path.split(separator: "/").last, file.hasSuffix(".sql"),
      let separator = file.firstIndex(of: "_"), let version = Int(file[..<separator])
    else { return nil }
    self.version = version
    name = String(file[file.index(after: separator)...].dropLast(4))
    self.text = text
    checksum = SHA256.hash(data: Array(text.utf8))
  }

  package static var all: [Migration] {
    paths.compactMap { path in EmbeddedSQL.text(path).flatMap { Migration(path: path, text: $0) } }
      .sorted { $0.version < $1.version }
  }

  static var schemas: [String] { ["sync"] + all.flatMap(\.schemas) }

  static var paths: [String] {
    EmbeddedSQL.paths(in: "migrations")
      + EmbeddedSQL.paths(in: "sources").filter { path in
        let parts = path.split(separator: "/")
        return parts.count == 4 && parts[2] == "migrations"
      }
  }
}

typealias AppliedMigration = (version: Int, name: String, checksum: [UInt8], appliedAt: String)
