/// One kind of documents: an endpoint of the service's index, or the encounters of each pokemon, which the index does
/// not name.
struct PokeAPIEndpoint: Sendable {
  static let encounters = "pokemon-encounters"
  static let pokemon = "pokemon"

  let name: String

  var isEncounters: Bool { name == Self.encounters }
  /// The endpoint whose list names the keys.
  var listed: String { isEncounters ? Self.pokemon : name }

  /// Caches hold the forms of an address apart, and a fault that got into one of them stays there for days.
  ///
  /// - Returns: the form of the service's own links, then the others. The meaningless query requests what no cache
  ///   holds yet.
  func documentURLs(_ key: Int64, baseURL: String) -> [String] {
    let plain = "\(baseURL)/\(listed)/\(key)\(isEncounters ? "/encounters" : "")"
    return isEncounters ? [plain, "\(plain)/", "\(plain)?_=1"] : ["\(plain)/", plain, "\(plain)/?_=1"]
  }

  func listURLs(offset: Int, limit: Int, baseURL: String) -> [String] {
    ["", "/"].map { "\(baseURL)/\(listed)\($0)?offset=\(offset)&limit=\(limit)" }
  }

  /// Whether an endpoint may be called so: the name goes into addresses and into the mirror.
  static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { ($0.isLetter && $0 > UInt8(ascii: "Z")) || $0.isDigit || $0 == UInt8(ascii: "-") }
  }
}
