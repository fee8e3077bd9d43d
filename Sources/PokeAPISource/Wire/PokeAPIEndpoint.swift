import Foundation
import SyncCore
import SyncProgram

/// An endpoint of the index, or `pokemon-encounters`, which the index omits.
struct PokeAPIEndpoint: Sendable {
  static let encounters = "pokemon-encounters"
  static let pokemon = "pokemon"

  let name: String

  var isEncounters: Bool { name == Self.encounters }
  var listed: String { isEncounters ? Self.pokemon : name }

  /// Returns several forms of the address, because a cache can keep an error of one form for days. The service's own
  /// form is first. The query `?_=1` bypasses the caches.
  func documentURLs(_ key: Int64, baseURL: String) -> [String] {
    let plain = "\(baseURL)/\(listed)/\(key)\(isEncounters ? "/encounters" : "")"
    return isEncounters ? [plain, "\(plain)/", "\(plain)?_=1"] : ["\(plain)/", plain, "\(plain)/?_=1"]
  }

  /// Returns two forms of a list's address, for the same reason as `documentURLs`.
  func listURLs(offset: Int, limit: Int, baseURL: String) -> [String] {
    ["", "/"].map { "\(baseURL)/\(listed)\($0)?offset=\(offset)&limit=\(limit)" }
  }

  /// Whether the text has 1 to 100 lowercase letters, digits and hyphens.
  static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { ($0.isLetter && $0 > UInt8(ascii: "Z")) || $0.isDigit || $0 == UInt8(ascii: "-") }
  }
}
