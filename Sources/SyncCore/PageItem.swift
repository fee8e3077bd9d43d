package struct PageItem: Sendable {
  /// The part of the item's key that differs within the stream.
  package let key: Int64
  /// Canonical JSON, accepted by `jsonb`.
  package let document: [UInt8]
  /// SHA-256 over the document without its counters, and the mapping's version.
  package let contentHash: [UInt8]
  /// Over the counters alone, which move every day.
  package let counterHash: Int64
  package let counters: [UInt8]
  /// The upstream's text held something that had to be replaced or dropped: NUL, a lone surrogate, a duplicate name.
  package let isRepaired: Bool
  package let misfits: [Misfit]

  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false, misfits: [Misfit] = []
  ) {
    (self.key, self.document, self.contentHash, self.counterHash) = (key, document, contentHash, counterHash)
    (self.counters, self.isRepaired, self.misfits) = (counters, isRepaired, misfits)
  }

  /// Whether the mirror would be the same with the other item.
  package func isSameVersion(as other: PageItem) -> Bool {
    contentHash == other.contentHash && counterHash == other.counterHash
  }
}

package struct RejectedItem: Sendable, Equatable {
  /// Known when the item's id could be read in spite of the fault; it then counts as seen.
  package let key: Int64?
  /// Short and stable, one of a few per source: `wrong_type`, `no_id`, `syntax`, …
  package let reason: String
  /// Where in the item, e.g. `score`, and what was found there.
  package let detail: String
  /// The item's bytes as far as a person needs them: bounded, valid UTF-8, no control characters.
  package let excerpt: String

  package init(key: Int64?, reason: String, detail: String, excerpt: String) {
    (self.key, self.reason, self.detail, self.excerpt) = (key, reason, detail, excerpt)
  }
}
