/// A page whose outer syntax holds: the envelope and its items in the order of the body.
package struct ScannedPage: Sendable, Equatable {
  /// The canonical form of the body, with the array of items replaced by `[]`.
  package let envelope: [UInt8]
  package let items: [ScannedItemResult]
  package let envelopeRepairs: Repairs
}

package enum ScannedItemResult: Sendable, Equatable {
  case item(ScannedItem)
  case bad(BadItem)
}

package struct ScannedItem: Sendable, Equatable {
  /// The range of the item in the body, without the white space around it.
  package let range: Range<Int>
  /// Members sorted by the UTF-8 bytes of their names, no white space, minimal escapes, numbers as received, the last
  /// of duplicate names. It is never longer than the item was.
  package let canonical: [UInt8]
  /// The canonical text of the key member's value; nil if the item has no such member, or none was requested.
  package let key: [UInt8]?
  /// The canonical object of the counters; `{}` if the item has none.
  package let counters: [UInt8]
  /// SHA-256 (32 bytes) over the canonical form without the values of the counters, whose names count; numbers
  /// of one value are hashed alike, however they are spelled, and arrays that are bags whatever their order.
  package let contentHash: [UInt8]
  /// The first 8 bytes, big endian, of SHA-256 over `counters`, numbers again by their value; 0 if the item has none.
  package let counterHash: Int64
  package let repairs: Repairs
}

package struct Repairs: Sendable, Equatable {
  /// NUL and lone surrogates, in strings and in names, replaced by U+FFFD.
  package var replacedScalars: Int
  /// Members dropped because a later one of the same object has the same name (after replacement).
  package var duplicateNames: Int

  package init(replacedScalars: Int = 0, duplicateNames: Int = 0) {
    self.replacedScalars = replacedScalars
    self.duplicateNames = duplicateNames
  }
}

/// An element of the array of items that cannot be used, though its end could be found.
package struct BadItem: Sendable, Equatable {
  package let range: Range<Int>
  package let reason: BadItemReason
  /// The byte of the body at which the fault was noticed.
  package let offset: Int
  /// The path of the fault, such as `data[3].titles[0].title`; at most about 512 bytes, longer ones end in `…`.
  package let path: String
  /// At most about 160 bytes of the element around the fault, without control characters.
  package let excerpt: String
}

package enum BadItemReason: Sendable, Equatable, CustomStringConvertible {
  /// Not JSON by RFC 8259; the text says what is wrong or was expected.
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
  /// The body breaks the rules outside of any item whose end can be found.
  case malformed(BadItemReason, offset: Int)
  /// The body is valid JSON without the array of items: an error document, perhaps.
  case noItems(NoItems)
  case tooManyItems(limit: Int, offset: Int)

  package struct NoItems: Sendable, Equatable {
    package enum Why: String, Sendable {
      case missing = "is missing"
      case notAnArray = "is not an array"
      case notAnObject = "leads through a value that is not an object"
    }
    package let why: Why
    package let itemsPath: [String]
    /// The canonical form of the whole body: it may contain the reason.
    package let envelope: [UInt8]
  }

  package var description: String {
    switch self {
    case .malformed(let reason, let offset): "\(reason) (at byte \(offset) of the body)"
    case .noItems(let found):
      found.itemsPath.isEmpty
        ? "the body \(found.why.rawValue)"
        : "the items path \(found.itemsPath.joined(separator: ".")) \(found.why.rawValue)"
    case .tooManyItems(let limit, let offset): "more than \(limit) items in one page (at byte \(offset) of the body)"
    }
  }
}
