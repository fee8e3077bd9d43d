/// Faults of a simulated PokeAPI, and changes to its data.
package struct PokeAPISettings: Sendable, Equatable {
  /// The hash of another build of the dataset; nil for the original hash.
  package var hash: String?
  package var cachedAt: [PokeAPIAddress: CachedEntry] = [:]
  package var removed: Set<PokeAPIAddress> = []
  package var hasExtraEndpoint = false
  /// Documents that get an unknown member.
  package var unknown: Set<PokeAPIAddress> = []
  /// Members that are replaced with null.
  package var nulls: [PokeAPIAddress: Set<String>] = [:]
  package var names: [PokeAPIAddress: String] = [:]
  /// The seed that shuffles arrays and lists.
  package var shuffle: UInt64?
  /// The seed that changes white space, the order of members, and escapes.
  package var spelling: UInt64?

  package init() {}

  package enum CachedFault: Sendable {
    case notFound, forbidden
    /// The text `OK` with status 200 instead of a document.
    case ok
  }

  /// The forms of an address with a cached error: only the form with a slash at its end, or both forms.
  package enum AddressForm: Sendable { case slash, both }

  package struct CachedEntry: Sendable, Equatable {
    package var fault: CachedFault
    package var form: AddressForm

    package init(_ fault: CachedFault, at form: AddressForm) {
      (self.fault, self.form) = (fault, form)
    }
  }
}

package struct PokeAPIAddress: Sendable, Hashable {
  /// The endpoint of a Pokémon's list of encounters, which is a separate document under the Pokémon's address.
  static let encounters = "pokemon-encounters"

  package var endpoint: String
  package var id: Int

  package init(_ endpoint: String, _ id: Int) {
    (self.endpoint, self.id) = (endpoint, id)
  }

  package var text: String { "\(endpoint)/\(id)" }
}
