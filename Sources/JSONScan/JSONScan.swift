/// A strict parser of JSON bodies (RFC 8259) that returns canonical bytes and hashes of each item. Only the canonical
/// bytes are decoded, hashed and stored, because decoders and `jsonb` treat duplicate names, NUL and lone surrogates
/// differently.
package enum JSONScan {
  /// Scans a body that contains an array of items.
  ///
  /// An item that cannot be used becomes `.bad` if its end is found, and the scan continues after the item. Throws if
  /// the whole page is unusable: `.noItems` if the path leads to no items, `.tooManyItems`, or `.malformed`.
  /// - Parameters:
  ///   - itemsPath: The path of the array of items. If it leads to several values, as `edges[*].node`, these are the
  ///     items, or arrays of items.
  ///   - acceptsObject: Whether an object in place of the array is the only item.
  ///   - counterMembers: The names of an item's members whose values change often. `contentHash` omits their values.
  ///   - keyMember: The name of the item's member that becomes `ScannedItem.key`.
  ///   - keepsMemberNames: Whether items get the name that the last step `.values` followed, as
  ///     `ScannedItem.memberName`.
  package static func page(
    _ body: [UInt8], itemsPath: [Step], acceptsObject: Bool = false, counterMembers: Set<String> = [],
    keyMember: String? = nil, keepsMemberNames: Bool = false, limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedPage {
    try scan(
      body, at: itemsPath, endingAt: acceptsObject ? .either : .array, counterMembers: counterMembers,
      keyMember: keyMember, keepsMemberNames: keepsMemberNames, limits: limits
    ) {
      (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.page()
    }
  }

  /// Returns the text as a string of canonical JSON, with its quotation marks.
  package static func quoted(_ text: String) -> [UInt8] {
    var json = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      let isUsual = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      // An array for each byte would be slow, and this runs for each item whose key has several members.
      if isUsual { json.append(byte) } else { json += Name.escape(byte) }
    }
    return json + [UInt8(ascii: "\"")]
  }

  /// Scans a body with a single object at `itemPath` instead of the array of items. The other parameters are those of
  /// `page`. Throws `.malformed` if the item is bad, and `.noItems` if it is missing or not an object.
  package static func item(
    _ body: [UInt8], itemPath: [String], counterMembers: Set<String> = [], keyMember: String? = nil,
    limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedItem {
    try scan(
      body, at: itemPath.map { .member($0) }, endingAt: .object, counterMembers: counterMembers, keyMember: keyMember,
      limits: limits
    ) {
      (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.singleItem()
    }
  }

  /// Scans a body that is one JSON value, of any kind. `arrays` affects only the hashes. Throws `.malformed` if the
  /// body is bad. The other parameters are those of `page`; only an object has counters and a key.
  package static func document(
    _ body: [UInt8], counterMembers: Set<String> = [], keyMember: String? = nil, arrays: Arrays = .ordered,
    limits: Limits = Limits()
  ) throws(JSONScanError) -> ScannedItem {
    try scan(
      body, at: [], endingAt: .object, counterMembers: counterMembers, keyMember: keyMember, arrays: arrays,
      limits: limits
    ) {
      (scanner: inout Scanner) throws(JSONScanError) in
      try scanner.document()
    }
  }

  /// Lends a scanner of the body to `run`. The scanner and its results must not outlive the closure.
  private static func scan<R>(
    _ body: [UInt8], at itemsPath: [Step], endingAt end: Scanner.PathEnd, counterMembers: Set<String>,
    keyMember: String?, keepsMemberNames: Bool = false, arrays: Arrays = .ordered, limits: Limits,
    run: (inout Scanner) throws(JSONScanError) -> R
  ) throws(JSONScanError) -> R {
    try body.withUnsafeBufferPointer { (bytes) throws(JSONScanError) -> R in
      let workspace = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * Scanner.capacity(for: bytes))
      defer { workspace.deallocate() }
      var scanner = Scanner(
        bytes, workspace: workspace, itemsPath: itemsPath, end: end, counterMembers: counterMembers,
        keyMember: keyMember, keepsMemberNames: keepsMemberNames, arrays: arrays, limits: limits)
      return try run(&scanner)
    }
  }
}

extension JSONScan {
  /// A step of the path from a body to its items.
  package enum Step: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    case member(String)
    /// The element with this index, from 0.
    case element(Int)
    /// Each element of an array.
    case elements
    /// The value of each member of an object.
    case values

    /// Creates the step to the member with this name.
    package init(stringLiteral name: String) { self = .member(name) }

    /// Whether the step can lead to several values.
    package var isMany: Bool { self == .elements || self == .values }

    package var description: String {
      switch self {
      case .member(let name): name
      case .element(let index): "[\(index)]"
      case .elements: "[*]"
      case .values: "*"
      }
    }

    private var isInBrackets: Bool {
      switch self {
      case .element, .elements: true
      case .member, .values: false
      }
    }

    /// Returns the path as a declaration writes it, such as `data.edges[*].node`.
    package static func text(_ path: [Step]) -> String {
      path.reduce(into: "") { text, step in
        text += (text.isEmpty || step.isInBrackets ? "" : ".") + step.description
      }
    }
  }

  /// How the hashes treat the order of an array's elements. The canonical bytes always keep the order.
  package enum Arrays: Sendable {
    case ordered
    /// The order of elements does not change the hash, but the number of equal elements does.
    case bags
  }

  /// The limits of a scan. The page's envelope and each item are limited separately.
  ///
  /// The initializer clamps values to what decoders and the database allow: `JSONDecoder` allows 512 levels, and
  /// `jsonb` 256 MiB.
  package struct Limits: Sendable, Equatable {
    /// The maximum number of nested containers in an item, or in the envelope.
    package let depth: Int
    /// The maximum size of an item, and of the page's envelope, in bytes.
    package let itemBytes: Int
    /// The maximum size of a string or name in canonical form, in bytes.
    package let stringBytes: Int
    /// The maximum number of items of a page. More items make the page unusable.
    package let items: Int

    /// Creates limits. Clamps `depth` to 1 … 500, `itemBytes` to 1 byte … 32 MiB, `stringBytes` to 0 … 32 MiB, and a
    /// negative `items` to 0.
    package init(depth: Int = 128, itemBytes: Int = 8 << 20, stringBytes: Int = 16 << 20, items: Int = 10_000) {
      self.depth = min(max(depth, 1), 500)
      self.itemBytes = min(max(itemBytes, 1), 32 << 20)
      self.stringBytes = min(max(stringBytes, 0), 32 << 20)
      self.items = max(items, 0)
    }
  }
}
