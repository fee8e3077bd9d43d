package import SyncCore

/// A page of a list, as it was read from a response, or as a stored page that the response confirmed.
package struct FetchedPage: Sendable {
  package let page: Page
  /// The data for conditional requests by later walks. `nil` if the page has no items, or an entry that is not a usable
  /// item.
  package let origin: PageCommit.Origin?
  /// The build that the response names. `nil` for a confirmed page.
  package let build: String?
  /// The way in which the response confirmed the stored page. `nil` if the page was read from the response.
  package let confirmation: Confirmation?

  /// The reason why a stored page is still valid.
  ///
  /// - `notModified`: The service answered a conditional request with status 304.
  /// - `identical`: The service sent a body with the digest of the stored page.
  package enum Confirmation: Sendable {
    case notModified
    case identical
  }

  /// A page that was read from a response.
  init(_ page: Page, _ origin: PageCommit.Origin, build: String?) {
    // If `origin` is `nil`, the next walk parses the page again and reports the page's rejected items again. An answer
    // without items can be the end that a declaration states for its status, which a later 304 would not repeat.
    let isWhole =
      if case .items(let entries, _) = page { !entries.isEmpty && entries.allSatisfy(\.isItem) } else { false }
    self.page = page
    self.origin = isWhole ? origin : nil
    self.build = build
    confirmation = nil
  }

  /// A stored page that a response confirmed. Its entries have only keys, because the items are in the mirror.
  /// - Parameter validators: The validators of the response. `nil` keeps the stored validators, as after a 304.
  init(_ cached: CachedPage, _ confirmation: Confirmation, validators: Validators? = nil) {
    page = .items(cached.keys.map { .listed($0) }, cached.claim)
    origin = PageCommit.Origin(
      address: cached.address, validators: validators ?? cached.validators, digest: cached.digest,
      cachedReading: cached.reading)
    build = nil
    self.confirmation = confirmation
  }
}

extension CachedPage {
  /// Returns the page without validators that have a secret. Earlier versions stored such validators.
  func withoutSecretValidators(_ mask: SecretMask) -> CachedPage {
    let texts = [validators?.etag, validators?.lastModified].compactMap(\.self)
    guard texts.contains(where: { mask.finds(in: $0) }) else { return self }
    return CachedPage(
      address: address, reading: reading, validators: nil, digest: digest, keys: keys, claim: claim)
  }
}
