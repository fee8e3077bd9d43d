/// Settings of a simulated PokeAPI and changes to its data; see ``help``.
package struct PokeAPISettings: Sendable, Equatable {
  package var seed: UInt64 = 1
  package var documents = 0
  package var hash: String?
  package var mixed = 0.0
  package var omitsHash = false
  package var cachedAt: [PokeAPIAddress: CachedEntry] = [:]
  package var removed: Set<PokeAPIAddress> = []
  package var hasExtraEndpoint = false
  package var unknown: Set<PokeAPIAddress> = []
  package var nulls: [PokeAPIAddress: Set<String>] = [:]
  package var names: [PokeAPIAddress: String] = [:]
  package var shuffle: UInt64?
  package var spelling: UInt64?

  package init() {}

  /// An error that a cache keeps for one address.
  package enum CachedFault: String, Sendable, CaseIterable {
    case notFound = "404"
    case forbidden = "403"
    /// Status 200 with `OK` instead of a document.
    case ok
  }

  package enum AddressForm: String, Sendable, CaseIterable {
    case slash
    case noSlash = "no-slash"
    case both
  }

  package struct CachedEntry: Sendable, Equatable {
    package var fault: CachedFault
    package var form: AddressForm

    package init(_ fault: CachedFault, at form: AddressForm) {
      (self.fault, self.form) = (fault, form)
    }
  }

  /// Reads settings such as `hash=abc,mixed=0.1,remove=pokemon/25`. Throws ``ChaosError`` for an invalid word or value.
  package init(_ text: String, seed: UInt64 = 1) throws(ChaosError) {
    self.seed = seed
    for word in SettingWord.list(text) {
      switch (word.name, word.value) {
      case ("no-hash", nil): omitsHash = true
      case ("extra", nil): hasExtraEndpoint = true
      case ("shuffle", nil): shuffle = seed
      case ("spelling", nil): spelling = seed
      case ("shuffle", _): shuffle = UInt64(try word.number(0...Int.max))
      case ("spelling", _): spelling = UInt64(try word.number(0...Int.max))
      case ("documents", _): documents = try word.number(1...100_000)
      case ("mixed", _): mixed = try word.rate()
      case ("hash", let hash?) where Self.isWord(hash): self.hash = hash
      default: try read(word)
      }
    }
  }

  private mutating func read(_ word: SettingWord) throws(ChaosError) {
    let parts = (word.value ?? "").split(separator: ":").map { String($0.trimmed) }
    guard let address = parts.first.flatMap({ PokeAPIAddress($0) }) else { throw word.problem("write \(Self.words)") }
    switch (word.name, parts.count) {
    case ("remove", 1): removed.insert(address)
    case ("unknown", 1): unknown.insert(address)
    case ("null", 2): nulls[address, default: []].insert(parts[1])
    case ("name", 2) where Self.isWord(parts[1]): names[address] = parts[1]
    case ("cached", 2...3):
      guard let fault = CachedFault(rawValue: parts[1]),
        let form = AddressForm(rawValue: parts.last ?? "") ?? (parts.count == 2 ? .slash : nil)
      else {
        throw word.problem("write ENDPOINT/ID:FAULT[:FORM] with 404, 403 or ok; slash, no-slash or both")
      }
      cachedAt[address] = CachedEntry(fault, at: form)
    default: throw word.problem("write \(Self.words)")
    }
  }

  /// Whether a hash or name is valid in headers and paths.
  private static func isWord(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  private static let words = """
    documents=N, hash=HASH, mixed=RATE, no-hash, cached=ENDPOINT/ID:FAULT[:FORM], remove=ENDPOINT/ID, extra, \
    unknown=ENDPOINT/ID, null=ENDPOINT/ID:MEMBER, name=ENDPOINT/ID:NAME, shuffle[=SEED] or spelling[=SEED]
    """

  package static let help = """
    Words, separated by commas; a document is ENDPOINT/ID, the encounters of a Pokémon pokemon-encounters/ID:

      documents=N             N documents of Pokémon, the same ones again under other numbers; for benchmarks
      hash=HASH               the hash of the dataset, in /meta/ and in the header X-PokeAPI-Hash
      mixed=RATE              share of documents with the hash of another build in their header
      no-hash                 no such header
      cached=DOC:FAULT[:FORM] a document that answers 404, 403 or 200 with OK (404, 403 or ok) at one address: with the
                              slash at its end, without it, or both (slash, no-slash or both)
      remove=DOC              a removed document
      extra                   one endpoint more, berry-dish
      unknown=DOC             an unknown member
      null=DOC:MEMBER         a member that is null, as sprites or sprites.other
      name=DOC:NAME           another name
      shuffle[=SEED]          arrays and lists in another order
      spelling[=SEED]         documents with other white space, order of members, escapes
    """
}

/// The endpoint and the id of a document.
package struct PokeAPIAddress: Sendable, Hashable {
  package var endpoint: String
  package var id: Int

  package init(_ endpoint: String, _ id: Int) {
    (self.endpoint, self.id) = (endpoint, id)
  }

  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = Int(parts[1]), "\(id)" == parts[1] else { return nil }
    let letters = parts[0].utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    guard letters, !parts[0].isEmpty else { return nil }
    self.init(String(parts[0]), id)
  }

  package var text: String { "\(endpoint)/\(id)" }

  /// A Pokémon's list of encounters, which is a separate document under the Pokémon's address.
  static func encounters(of pokemon: Int) -> PokeAPIAddress { PokeAPIAddress("pokemon-encounters", pokemon) }
}
