/// The result of scanning a page: its items, and the rest of the body.
package struct ScannedPage: Sendable, Equatable {
  /// The canonical body, with `[]` instead of the items.
  package let envelope: [UInt8]
  /// The items in the body's order, usable or not.
  package let items: [ScannedItemResult]
  /// The repairs outside of the items.
  package let envelopeRepairs: Repairs
}

/// An item of a page, or the reason why it cannot be used.
package enum ScannedItemResult: Sendable, Equatable {
  case item(ScannedItem)
  case bad(BadItem)
}

/// A well-formed item in canonical form, with its hashes.
///
/// Scans with the same counter members return the same hashes for the same `canonical` bytes. The database stores the
/// hashes, so a change of the canonical form or of the hash functions makes all stored hashes useless.
package struct ScannedItem: Sendable, Equatable {
  /// The item's place in the body, in bytes.
  package let range: Range<Int>
  /// The item in canonical form: sorted members, no white space, minimal escapes, and numbers as received. If a name is
  /// repeated, only its last member remains. Never longer than the received item.
  package let canonical: [UInt8]
  /// The canonical value of the key member. `nil` without a key member.
  package let key: [UInt8]?
  /// The name that the last step `.values` of the items path followed to the item, as a canonical JSON text. `nil` if
  /// the scan does not keep names, or if the item is not below such a step.
  package let memberName: [UInt8]?
  /// The counter members as a canonical object. `{}` without counters. Only the item's own members count, not members
  /// of nested objects.
  package let counters: [UInt8]
  /// The SHA-256 of the canonical form without the counters' values. Numbers are hashed by value.
  package let contentHash: [UInt8]
  /// The first 8 bytes, big endian, of the SHA-256 of `counters`; 0 without counters.
  package let counterHash: Int64
  package let repairs: Repairs
}

/// The changes that made a body storable in `jsonb`.
package struct Repairs: Sendable, Equatable {
  /// The number of NULs and lone surrogates that were replaced by U+FFFD, in strings and names.
  package var replacedScalars: Int
  /// The number of removed members. A member is removed if a later member of the object has the same name.
  package var duplicateNames: Int

  package init(replacedScalars: Int = 0, duplicateNames: Int = 0) {
    self.replacedScalars = replacedScalars
    self.duplicateNames = duplicateNames
  }
}

/// An item that cannot be used, although its end was found.
package struct BadItem: Sendable, Equatable {
  /// The item's place in the body, in bytes.
  package let range: Range<Int>
  package let reason: BadItemReason
  /// The position of the error in the body, in bytes.
  package let offset: Int
  /// The path of the error, such as `data[3].titles[0].title`. At most about 512 bytes; longer paths end in `…`.
  package let path: String
  /// Up to 160 bytes of the item around the error, decoded as UTF-8. Control characters of ASCII are blanks, but other
  /// invisible characters remain.
  package let excerpt: String
}

/// The reason why an item or body cannot be used. The description is shown to users.
package enum BadItemReason: Sendable, Equatable, CustomStringConvertible {
  case syntax(String)
  case depth(limit: Int)
  case itemBytes(limit: Int)
  case stringBytes(limit: Int)
  case invalidUTF8
  /// A number with more than 131,072 digits before or 16,383 after the decimal point, which `jsonb` refuses.
  case numberRange

  package var description: String {
    switch self {
    case .syntax(let text): "invalid JSON: \(text)"
    case .depth(let limit): "nested deeper than \(limit) levels"
    case .itemBytes(let limit): "larger than \(limit) bytes"
    case .stringBytes(let limit): "a string longer than \(limit) bytes"
    case .invalidUTF8: "a string that is not valid UTF-8"
    case .numberRange: "a number beyond PostgreSQL's range (131072 digits before, 16383 after the decimal point)"
    }
  }
}

/// The reason why a whole body is unusable. No item of the body was returned.
package enum JSONScanError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A syntax error outside of the items, or in an item whose end cannot be found.
  case malformed(BadItemReason, offset: Int)
  /// The body is well-formed, but nothing that can be the items is at the end of the items path.
  case noItems(NoItems)
  case tooManyItems(limit: Int, offset: Int)

  /// A well-formed body without items. `envelope` is its canonical form, for example with the service's error message.
  package struct NoItems: Sendable, Equatable {
    /// The reason. The raw value continues a sentence whose subject is the items path or the body.
    package enum Why: String, Sendable {
      case missing = "is missing"
      case notAnArray = "is not an array"
      case notAnObject = "leads through a value that is not an object"
    }
    package let why: Why
    package let itemsPath: [JSONScan.Step]
    package let envelope: [UInt8]
  }

  package var description: String {
    switch self {
    case .malformed(let reason, let offset): "\(reason) (at byte \(offset) of the body)"
    case .noItems(let found):
      found.itemsPath.isEmpty
        ? "the body \(found.why.rawValue)"
        : "the items path \(JSONScan.Step.text(found.itemsPath)) \(found.why.rawValue)"
    case .tooManyItems(let limit, let offset): "more than \(limit) items in one page (at byte \(offset) of the body)"
    }
  }
}
