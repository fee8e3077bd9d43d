package import JSONScan
package import SyncCore

extension JSONScan.Limits {
  package static let body = JSONScan.Limits(
    depth: Limits.itemDepth, itemBytes: Limits.itemBytes, items: Limits.itemsPerPage)
  /// PostgreSQL can write a stored document with more bytes than the service sent.
  package static let stored = JSONScan.Limits(depth: Limits.itemDepth, itemBytes: Limits.storedDocumentBytes)
}

extension BadItemReason {
  package var name: String {
    switch self {
    case .syntax: "syntax"
    case .depth: "depth"
    case .itemBytes, .stringBytes: "size"
    case .invalidUTF8: "invalid_utf8"
    case .numberRange: "number_range"
    }
  }
}

extension ScannedItemResult {
  /// Returns the entry that `read` returns for a usable item, or a rejected entry for an unusable item.
  package func entry(_ read: (ScannedItem) -> Page.Entry) -> Page.Entry {
    switch self {
    case .item(let item): read(item)
    case .bad(let item): .rejected(RejectedItem(item))
    }
  }
}

extension Page.Entry {
  /// Returns the entry that `read` returns for the scanned document, or a rejected entry if `scan` throws an error.
  package static func stored(
    _ document: [UInt8], _ read: (ScannedItem) -> Page.Entry, scan: () throws(JSONScanError) -> ScannedItem
  ) -> Page.Entry {
    do {
      return read(try scan())
    } catch {
      return .rejected(RejectedItem(unreadable: document, error))
    }
  }
}

extension RejectedItem {
  /// Rejects an item that the scan could not read. Its key is unknown.
  package init(_ item: BadItem) {
    self.init(
      key: nil, reason: item.reason.name, detail: "\(item.path): \(item.reason)", excerpt: Excerpt.of(item.excerpt))
  }

  /// Rejects a well-formed item that its source could not read. The error is a `FieldFault`, a `DecodingError`, or any
  /// other error, whose reason is then `unreadable`. `key` is `nil` if the item's key is unknown.
  package init(_ fault: any Error, key: Int64?, document: [UInt8]) {
    let fault = FieldFault(fault)
    self.init(key: key, reason: fault.reason, detail: fault.detail, excerpt: Excerpt.of(document))
  }

  /// Rejects a stored document that the scan could not read, with the reason `unreadable`. Its key is unknown.
  package init(unreadable document: [UInt8], _ error: JSONScanError) {
    self.init(key: nil, reason: "unreadable", detail: "\(error)", excerpt: Excerpt.of(document))
  }
}
