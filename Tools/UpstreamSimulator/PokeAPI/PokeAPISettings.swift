package struct PokeAPISettings: Sendable, Equatable {
  package var hash: String?
  package var cachedAt: [PokeAPIAddress: CachedEntry] = [:]
  package var removed: Set<PokeAPIAddress> = []
  package var hasExtraEndpoint = false
  package var unknown: Set<PokeAPIAddress> = []
  package var nulls: [PokeAPIAddress: Set<String>] = [:]
  package var names: [PokeAPIAddress: String] = [:]
  package var shuffle: UInt64?
  package var spelling: UInt64?

  package init() {}

  package enum CachedFault: Sendable {
    case notFound, forbidden
    case ok
  }

  package enum AddressForm: Sendable { case slash, both }

  package struct CachedEntry: Sendable, Equatable {
    package var fault: CachedFault
    package var form: AddressForm

    package init(_ fault: CachedFault, at form: AddressForm) {
      self.fault = fault
      self.form = form
    }
  }
}

package struct PokeAPIAddress: Sendable, Hashable {
  /// Encounters are a separate document under the Pokémon's address.
  static let encounters = "pokemon-encounters"

  package var endpoint: String
  package var id: Int

  package init(_ endpoint: String, _ id: Int) {
    self.endpoint = endpoint
    self.id = id
  }

  package var text: String { "\(endpoint)/\(id)" }
}
