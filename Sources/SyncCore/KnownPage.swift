/// A page of an earlier walk that the upstream need not send again if it is still the same.
///
/// Every item of it is in the mirror as that page had it: nobody has written one since, and none has vanished.
package struct KnownPage: Sendable, Equatable {
  package let address: PageAddress
  /// The reading of the earlier walk; the stores gives them out in this order.
  package let reading: Int
  package let validators: Validators
  /// In the upstream's order, repeats included.
  package let keys: [Int64]
  package let claim: PageClaim

  package init(address: PageAddress, reading: Int, validators: Validators, keys: [Int64], claim: PageClaim) {
    self.address = address
    self.reading = reading
    self.validators = validators
    self.keys = keys
    self.claim = claim
  }
}
