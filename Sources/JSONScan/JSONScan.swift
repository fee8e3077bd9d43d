/// One strict pass over a JSON body that does what a decoder does not.
///
/// It follows RFC 8259 to the letter, gives the canonical bytes and the hashes of each item, counts what it
/// had to repair, and tells one bad item from a bad page. The canonical bytes are the only form that is decoded,
/// hashed and stored afterwards, so that typed columns and the stored document cannot disagree: decoders differ
/// in which of duplicate names they keep, and `jsonb` refuses NUL and lone surrogates.
package enum JSONScan {
  /// Scans the body of a page, UTF-8 with or without a byte order mark. `itemsPath` leads to the array of items; it is
  /// empty if the body is that array. Of an item's top level, the content hash omits the values of `counterMembers`,
  /// and the text of `keyMember` comes apart. Throws if the page as a whole cannot be used; a bad item is returned as
  /// `.bad`.
  package static func page(
    _ body: [UInt8], itemsPath: [String], counterMembers: Set<String> = [], keyMember: String? = nil,
    limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedPage {
    try scan(body, itemsPath, counterMembers, keyMember, limits) { (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.page()
    }
  }

  /// Scans a body with one object in place of the array of items. Throws also if the item itself cannot be used.
  package static func item(
    _ body: [UInt8], itemPath: [String], counterMembers: Set<String> = [], keyMember: String? = nil,
    limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedItem {
    try scan(body, itemPath, isSingle: true, counterMembers, keyMember, limits) {
      (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.singleItem()
    }
  }

  /// Scans a body that is one JSON value; `Limits.itemBytes` and `Limits.depth` hold for the whole of it. `arrays` is
  /// what the hashes see of arrays; the canonical form keeps their order.
  package static func document(
    _ body: [UInt8], counterMembers: Set<String> = [], keyMember: String? = nil, arrays: Arrays = .ordered,
    limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedItem {
    try scan(body, nil, counterMembers, keyMember, arrays: arrays, limits) {
      (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.document()
    }
  }

  private static func scan<R>(
    _ body: [UInt8], _ itemsPath: [String]?, isSingle: Bool = false, _ counterMembers: Set<String>,
    _ keyMember: String?, arrays: Arrays = .ordered, _ limits: Limits,
    _ run: (inout Scanner) throws(JSONScanError) -> R
  ) throws(JSONScanError) -> R {
    try body.withUnsafeBufferPointer { (bytes) throws(JSONScanError) -> R in
      let workspace = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * Scanner.capacity(for: bytes))
      defer { workspace.deallocate() }
      var scanner = Scanner(
        bytes, workspace: workspace, itemsPath: itemsPath, isSingle: isSingle, counterMembers: counterMembers,
        keyMember: keyMember, arrays: arrays, limits: limits)
      return try run(&scanner)
    }
  }
}

extension JSONScan {
  package enum Arrays: Sendable {
    case ordered
    /// Which elements it has, and how often, in any order. This applies to every array of the document.
    case bags
  }

  /// Values beyond what `JSONDecoder` (512 levels) and `jsonb` (256 MiB, of which a small number takes six times its
  /// text) accept are lowered to these: canonical bytes must never be refused downstream.
  package struct Limits: Sendable, Equatable {
    /// Levels of nesting inside an item, and of the envelope around the items.
    package let depth: Int
    /// Bytes of an item as received, and of the canonical envelope.
    package let itemBytes: Int
    /// Bytes of one string or member name in canonical form.
    package let stringBytes: Int
    package let items: Int

    package init(
      depth: Int = 128, itemBytes: Int = 8 << 20, stringBytes: Int = 16 << 20, items: Int = 10_000
    ) {
      self.depth = min(max(depth, 1), 500)
      self.itemBytes = min(max(itemBytes, 1), 32 << 20)
      self.stringBytes = min(max(stringBytes, 0), 32 << 20)
      self.items = max(items, 0)
    }
  }
}
