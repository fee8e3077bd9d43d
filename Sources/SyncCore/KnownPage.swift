/// A page of an earlier walk that need not be sent or read again if it is still the same: every item of it is in the
/// mirror as that page had it, and none has vanished.
package struct KnownPage: Sendable, Equatable {
  package let address: PageAddress
  /// The reading of the earlier walk; stores return pages in this order.
  package let reading: Int
  package let validators: Validators?
  /// Of its body, in hexadecimal.
  package let digest: String?
  package let keys: [Int64]
  package let claim: PageClaim

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

/// A reading of a walk as it is kept: enough to replay the walk's rules after a restart.
package struct StoredPage: Sendable, Equatable {
  /// Number of the reading within the walk, from 1. The number of the page as well, until pages are read again.
  package let number: Int
  /// Which page of the list it was; nil for a batch of lookups, whose keys are those that were found.
  package let page: Int?
  /// In the upstream's order, repeats included; nil for a page that was not there (a 404 in the middle).
  package let keys: [Int64]?
  package let unreadable: Int
  package let claim: PageClaim
  /// The list ended here, and the walk continued: to read pages again, or from the other end.
  package let endedBy: Certificate.EndedBy?

  package init(
    number: Int, page: Int?, keys: [Int64]?, unreadable: Int, claim: PageClaim, endedBy: Certificate.EndedBy? = nil
  ) {
    self.number = number
    self.page = page
    self.keys = keys
    self.unreadable = unreadable
    self.claim = claim
    self.endedBy = endedBy
  }
}
