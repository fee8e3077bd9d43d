/// What a simulated PokeAPI is like, and what has changed in it since.
package struct PokeAPISettings: Sendable, Equatable {
  /// Species that a generated PokeAPI has by default, as the first games had.
  package static let defaultScale = 151.0 / 1025

  package var seed: UInt64 = 1
  /// Of generated documents: 1 makes as many, and as large ones, as the service had in the summer of 2026.
  package var scale = defaultScale
  /// The prefix of links, such as `https://pokeapi.co`; nil for the address of the request.
  package var baseURL: String?

  /// The hash of the dataset, in `/meta/` and in the header; nil for its own.
  package var hash: String?
  /// Share of documents that have ``mixedHash`` in their header, as from a cache that still has the previous build.
  package var mixed = 0.0
  package var mixedHash = "5f0e4c1a7d3b2968e1a0c4f7b6d5938271605f4e"
  /// Answers have no header with the hash; `/meta/` still has it.
  package var omitsHash = false

  /// Share of documents of which one address, with or without the slash at its end, permanently answers with a fault.
  package var cached = 0.0
  /// The fault of those; nil for any of them, by the seed.
  package var cachedFault: CachedFault?
  /// The same for single documents.
  package var cachedAt: [PokeAPIAddress: CachedEntry] = [:]

  /// Removed documents, missing from the lists too.
  package var removed: Set<PokeAPIAddress> = []
  /// Whether there is the endpoint `berry-dish`, with two documents.
  package var hasExtraEndpoint = false
  /// Documents with an unknown member.
  package var unknown: Set<PokeAPIAddress> = []
  /// Members that are null, by document; those of objects inside as in `sprites.other`.
  package var nulls: [PokeAPIAddress: Set<String>] = [:]
  /// Documents that have another name, in the lists too; nothing keeps it from being that of another one.
  package var names: [PokeAPIAddress: String] = [:]
  /// A seed that gives all arrays, the rows of lists among them, another order.
  package var shuffle: UInt64?
  /// A seed that writes documents with other blanks, another order of members and other escapes.
  package var spelling: UInt64?

  package init() {}

  /// An error that a cache keeps, and gives as the answer of one address until it forgets it.
  package enum CachedFault: String, Sendable, CaseIterable {
    case notFound = "404"
    case forbidden = "403"
    /// Status 200, and `OK` instead of a document.
    case ok
  }

  /// An address of a document, as far as caches distinguish them.
  package enum AddressForm: String, Sendable, CaseIterable {
    case slash
    case noSlash = "no-slash"
    case both
  }

  /// What a cache keeps of one document.
  package struct CachedEntry: Sendable, Equatable {
    package var fault: CachedFault
    package var form: AddressForm

    package init(_ fault: CachedFault, at form: AddressForm) {
      self.fault = fault
      self.form = form
    }
  }
}

/// The name of a document: its endpoint and its number there.
package struct PokeAPIAddress: Sendable, Hashable {
  package var endpoint: String
  package var id: Int

  package init(_ endpoint: String, _ id: Int) {
    self.endpoint = endpoint
    self.id = id
  }

  /// Reads `pokemon/25`; nil if it is invalid.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = Int(parts[1]), "\(id)" == parts[1] else { return nil }
    let letters = parts[0].utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    guard letters, !parts[0].isEmpty else { return nil }
    self.init(String(parts[0]), id)
  }

  package var text: String { "\(endpoint)/\(id)" }

  /// The list of encounters, which the service shows as a part of a Pokémon and stores as a separate document.
  static func encounters(of pokemon: Int) -> PokeAPIAddress { PokeAPIAddress("pokemon-encounters", pokemon) }
}
