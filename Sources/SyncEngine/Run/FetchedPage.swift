import Hashing
package import SyncCore

package struct FetchedPage: Sendable {
  package let page: Page
  package let origin: PageCommit.Origin?
  package let build: String?
  package let confirmation: Confirmation?

  package enum Confirmation: Sendable {
    case notModified
    case identical
  }

  init(_ page: Page, _ origin: PageCommit.Origin, build: String?) {
    // If `origin` is `nil`, the next walk parses the page again and reports the page's rejected items again.
    let isWhole = if case .items(let entries, _) = page { entries.allSatisfy(\.isItem) } else { false }
    self.page = page
    self.origin = isWhole ? origin : nil
    self.build = build
    confirmation = nil
  }

  init(_ known: KnownPage, _ confirmation: Confirmation, validators: Validators? = nil) {
    page = .items(known.keys.map { .listed($0) }, known.claim)
    origin = PageCommit.Origin(
      address: known.address, validators: validators ?? known.validators, digest: known.digest, known: known.reading)
    build = nil
    self.confirmation = confirmation
  }
}

extension KnownPage {
  /// Returns the page without validators that have a secret. Earlier versions stored such validators.
  func withoutSecretValidators(_ mask: SecretMask) -> KnownPage {
    let texts = [validators?.etag, validators?.lastModified].compactMap(\.self)
    guard texts.contains(where: { mask.finds(in: $0) }) else { return self }
    return KnownPage(
      address: address, reading: reading, validators: nil, digest: digest, keys: keys, claim: claim)
  }
}

enum PageDigest {
  /// Must be increased if a new reader or scanner returns different results for the same body.
  private static let readerVersion: UInt8 = 2
  private static let bytes = 16

  static func of(_ body: [UInt8], link: String? = nil, mappingVersion: Int) -> String {
    var hash = SHA256()
    hash.update(data: [readerVersion] + Array("\(mappingVersion)\n".utf8))
    hash.update(data: body)
    if let link { hash.update(data: Array(link.utf8)) }
    return hash.finalize().prefix(bytes).hexadecimal
  }
}
