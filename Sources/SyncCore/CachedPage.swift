/// A page that can be requested conditionally, because the mirror still has all its items unchanged.
package struct CachedPage: Sendable, Equatable {
  package let address: PageAddress
  /// The position at which the last published walk read this page (1, 2, …). A reading is one page or batch that a walk
  /// has committed. Stores return pages in this order.
  package let reading: Int
  package let validators: Validators?
  /// The digest of `PageCommit.Origin`.
  package let digest: String?
  /// The keys in the upstream's order, with repeats.
  package let keys: [Int64]
  package let claim: PageClaim

  /// `reading` counts from 1. `keys` are in the upstream's order, with repeats.
  package init(
    address: PageAddress, reading: Int, validators: Validators?, digest: String? = nil, keys: [Int64], claim: PageClaim
  ) {
    self.digest = digest
    self.address = address
    self.reading = reading
    self.validators = validators
    self.keys = keys
    self.claim = claim
  }
}
