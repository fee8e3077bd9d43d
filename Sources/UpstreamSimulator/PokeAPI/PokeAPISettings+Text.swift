extension PokeAPISettings {
  /// Reads settings as they are given to a program, such as `hash=abc,mixed=0.1,remove=pokemon/25`.
  ///
  /// Throws ``ChaosError`` for a word that does not exist and for a value that is none.
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    self.init()
    self.seed = seed
    for entry in text.split(separator: ",").map(\.trimmed) where !entry.isEmpty {
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
      let isRead = try parts.count > 1 ? read(parts[0], String(parts[1]), in: entry) : read(parts[0])
      guard isRead else {
        throw ChaosError("`\(entry)` says nothing of a PokeAPI; write \(Self.words)")
      }
    }
  }

  private mutating func read(_ name: Substring) -> Bool {
    switch name {
    case "no-hash": omitsHash = true
    case "extra": hasExtraEndpoint = true
    case "shuffle": shuffle = seed
    case "spelling": spelling = seed
    default: return false
    }
    return true
  }

  private mutating func read(
    _ name: Substring, _ value: String, in entry: Substring
  ) throws(ChaosError) -> Bool {
    switch name {
    case "hash": hash = try Self.word(value, in: entry)
    case "mixed": mixed = try Self.rate(value, in: entry)
    case "mixed-hash": mixedHash = try Self.word(value, in: entry)
    case "base": baseURL = try Self.base(value, in: entry)
    case "cached": try readCached(value, in: entry)
    case "remove": removed.insert(try Self.address(value, in: entry))
    case "unknown": unknown.insert(try Self.address(value, in: entry))
    case "null":
      let (address, member) = try Self.pair(value, in: entry, "as in null=pokemon/1:sprites")
      nulls[address, default: []].insert(member)
    case "name":
      let (address, name) = try Self.pair(value, in: entry, "as in name=pokemon/2:bulbasaur")
      names[address] = try Self.word(name, in: entry)
    case "shuffle": shuffle = try Self.seed(value, in: entry)
    case "spelling": spelling = try Self.seed(value, in: entry)
    default: return false
    }
    return true
  }

  /// A share of all documents (`0.02`, `0.02:403`), or one of them (`pokemon/25:404`, `pokemon/25:ok:both`).
  private mutating func readCached(_ value: String, in entry: Substring) throws(ChaosError) {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    let fault = parts.count > 1 ? CachedFault(rawValue: parts[1]) : nil
    if let address = PokeAPIAddress(parts[0]) {
      let form = parts.count > 2 ? AddressForm(rawValue: parts[2]) : .slash
      guard parts.count <= 3, let fault, let form else {
        throw ChaosError("`\(entry)`: write ENDPOINT/ID:FAULT[:FORM] with 404, 403 or ok; slash, no-slash or both")
      }
      cachedAt[address] = CachedEntry(fault, at: form)
      return
    }
    guard parts.count <= 2, parts.count == 1 || fault != nil else {
      throw ChaosError("`\(entry)`: write RATE[:FAULT] with 404, 403 or ok, as in cached=0.02:403")
    }
    cached = try Self.rate(parts[0], in: entry)
    cachedFault = fault
  }

  private static let words = """
    hash=HASH, mixed=RATE, mixed-hash=HASH, no-hash, base=URL, cached=RATE[:FAULT], cached=ENDPOINT/ID:FAULT[:FORM], \
    remove=ENDPOINT/ID, extra, unknown=ENDPOINT/ID, null=ENDPOINT/ID:MEMBER, name=ENDPOINT/ID:NAME, shuffle[=SEED] or \
    spelling[=SEED]
    """

  private static func rate(_ text: String, in entry: Substring) throws(ChaosError) -> Double {
    guard let rate = Double(text), (0...1).contains(rate) else {
      throw ChaosError("`\(entry)`: `\(text)` is no share; write a number from 0 to 1")
    }
    return rate
  }

  private static func seed(_ text: String, in entry: Substring) throws(ChaosError) -> UInt64 {
    guard let seed = UInt64(text) else { throw ChaosError("`\(entry)`: `\(text)` is not a seed; write a whole number") }
    return seed
  }

  /// A hash or a name: valid in a header and in a path.
  private static func word(_ text: String, in entry: Substring) throws(ChaosError) -> String {
    let isWord = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
    }
    guard isWord, (1...100).contains(text.utf8.count) else {
      throw ChaosError("`\(entry)`: `\(text)` is no word; write letters, digits and hyphens")
    }
    return text
  }

  private static func base(_ text: String, in entry: Substring) throws(ChaosError) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isPlain, text.hasPrefix("http://") || text.hasPrefix("https://"), !text.hasSuffix("/") else {
      throw ChaosError("`\(entry)`: write an address without a slash at its end, as in base=https://pokeapi.co")
    }
    return text
  }

  private static func address(_ text: some StringProtocol, in entry: Substring) throws(ChaosError) -> PokeAPIAddress {
    guard let address = PokeAPIAddress(text) else {
      throw ChaosError("`\(entry)`: `\(text)` is no document; write ENDPOINT/ID, as in pokemon/25")
    }
    return address
  }

  private static func pair(
    _ text: String, in entry: Substring, _ example: String
  ) throws(ChaosError) -> (PokeAPIAddress, String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2 else { throw ChaosError("`\(entry)`: write a document and a word, \(example)") }
    return (try address(parts[0], in: entry), String(parts[1]))
  }

  /// The description of settings, for display.
  package static let help = """
    Words, separated by commas; a document is ENDPOINT/ID, the encounters of a Pokémon pokemon-encounters/ID:

      hash=HASH               the hash of the dataset, in /meta/ and in the header X-PokeAPI-Hash
      mixed=RATE              share of documents with the hash of another build in their header
      mixed-hash=HASH         that hash
      no-hash                 no such header
      base=URL                the prefix of links; default: the address of the request
      cached=RATE[:FAULT]     share of documents of which one address, with or without the slash at its end, keeps
                              answering 404, 403 or 200 with OK (404, 403 or ok; all of them without FAULT)
      cached=DOC:FAULT[:FORM] the same for one document; FORM is slash, no-slash or both
      remove=DOC              a removed document
      extra                   one endpoint more, berry-dish
      unknown=DOC             an unknown member
      null=DOC:MEMBER         a member that is null, as sprites or sprites.other
      name=DOC:NAME           another name
      shuffle[=SEED]          arrays and lists in another order
      spelling[=SEED]         documents with other white space, order of members, escapes
    """
}
