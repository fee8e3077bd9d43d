import JSONScan
import SyncCore

extension JSONScan.Limits {
  /// Of a body as an upstream sends it.
  static let body = JSONScan.Limits(
    depth: Limits.itemDepth, itemBytes: Limits.itemBytes, items: Limits.itemsPerPage)
  /// PostgreSQL writes white space and numbers in full, so the text of a document may be longer than the item's was.
  static let stored = JSONScan.Limits(depth: Limits.itemDepth, itemBytes: Limits.storedDocumentBytes)
}

extension BadItemReason {
  /// A short stable word for the quarantine.
  var name: String {
    switch self {
    case .syntax: "syntax"
    case .depth: "depth"
    case .itemBytes, .stringBytes: "size"
    case .invalidUTF8: "invalid_utf8"
    case .numberRange: "number_range"
    }
  }
}

extension RejectedItem {
  /// An item whose text is no item; nothing of it can be read, its key neither.
  init(_ item: BadItem) {
    self.init(
      key: nil, reason: item.reason.name, detail: "\(item.path): \(item.reason)", excerpt: Excerpt.of(item.excerpt))
  }
}
