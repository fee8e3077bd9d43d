/// A usable item: its document, the hashes that show whether the document has changed, and the values that fit no
/// column.
package struct PageItem: Sendable {
  /// The item's key within its stream, such as the service's numeric id.
  package let key: Int64
  /// Canonical JSON.
  package let document: [UInt8]
  /// 33 bytes: the SHA-256 of the document without its counters' values, then the mapping's version.
  package let contentHash: [UInt8]
  /// The hash of the counters; 0 without counters. Separate from the content hash, because the counters change daily.
  package let counterHash: Int64
  /// The counters as a canonical object, as in `ScannedItem.counters`.
  package let counters: [UInt8]
  /// True if a NUL, a lone surrogate or a duplicate name in the document was replaced or removed.
  package let isRepaired: Bool
  package let misfits: [Misfit]

  /// `document` and `counters` are canonical JSON. `contentHash` has 33 bytes, and `counterHash` is 0 without counters.
  /// None of these rules is checked.
  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false, misfits: [Misfit] = []
  ) {
    self.key = key
    self.document = document
    self.contentHash = contentHash
    self.counterHash = counterHash
    self.counters = counters
    self.isRepaired = isRepaired
    self.misfits = misfits
  }

  /// Returns whether both items have equal documents and equal counters, by their hashes.
  package func isSameVersion(as other: PageItem) -> Bool {
    contentHash == other.contentHash && counterHash == other.counterHash
  }

  /// Returns whether the item, which was read from a stored document, has the hash that was stored with the document.
  /// The last byte, the version of the mapping, is not compared. If the hashes differ, the document is damaged and must
  /// not get a new hash.
  package func proves(contentHash stored: [UInt8]) -> Bool {
    contentHash.dropLast().elementsEqual(stored.dropLast())
  }
}

/// An item that cannot be stored. It goes into the quarantine, which a run counts as `quarantined`.
package struct RejectedItem: Sendable, Equatable {
  /// `nil` if the id cannot be read. An item with a key counts as seen.
  package let key: Int64?
  /// One of the source's reasons, such as `wrong_type`, `no_id` or `syntax`.
  package let reason: String
  /// What is wrong with the item, in words for the user, for example with the path of the wrong member.
  package let detail: String
  /// A short text of valid UTF-8 without control characters.
  package let excerpt: String

  /// `detail` is for the user. `excerpt` must be short, valid UTF-8 without control characters, as from `Excerpt.of`.
  package init(key: Int64?, reason: String, detail: String, excerpt: String) {
    self.key = key
    self.reason = reason
    self.detail = detail
    self.excerpt = excerpt
  }
}
