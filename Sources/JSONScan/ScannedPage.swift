package struct ScannedPage: Sendable, Equatable {
  /// The canonical body, with `[]` instead of the items.
  package let envelope: [UInt8]
  package let items: [ScannedItemResult]
  package let envelopeRepairs: Repairs
}

package enum ScannedItemResult: Sendable, Equatable {
  case item(ScannedItem)
  case bad(BadItem)
}

package struct ScannedItem: Sendable, Equatable {
  package let range: Range<Int>
  /// The item in canonical form: sorted members, no white space, minimal escapes, and numbers as received. If a name is
  /// repeated, only its last member remains. Never longer than the received item.
  package let canonical: [UInt8]
  /// The canonical value of the key member. `nil` without a key member.
  package let key: [UInt8]?
  package let counters: [UInt8]
  /// The SHA-256 of the canonical form without the counters' values. Numbers are hashed by value.
  package let contentHash: [UInt8]
  /// The first 8 bytes, big endian, of the SHA-256 of `counters`; 0 without counters.
  package let counterHash: Int64
  package let repairs: Repairs
}

package struct Repairs: Sendable, Equatable {
  /// The number of NULs and lone surrogates that were replaced by U+FFFD, in strings and names.
  package var replacedScalars: Int
  /// The number of removed members. A member is removed if a later member of the object has the same name.
  package var duplicateNames: Int

  package init(replacedScalars: Int = 0, duplicateNames: Int = 0) {
    (self.replacedScalars, self.duplicateNames) = (replacedScalars, duplicateNames)
  }
}

package struct BadItem: Sendable, Equatable {
  package let range: Range<Int>
  package let reason: BadItemReason
  package let offset: Int
  /// The path of the error, such as `data[3].titles[0].title`. At most about 512 bytes; longer paths end in `…`.
  package let path: String
  package let excerpt: String
}

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

package enum JSONScanError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A syntax error outside of the items, or in an item whose end cannot be found.
  case malformed(BadItemReason, offset: Int)
  case noItems(NoItems)
  case tooManyItems(limit: Int, offset: Int)

  package struct NoItems: Sendable, Equatable {
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
