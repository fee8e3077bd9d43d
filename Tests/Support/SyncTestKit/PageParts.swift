package import SyncCore

extension Page {
  package var items: [PageItem] {
    entries.compactMap { if case .item(let item) = $0 { item } else { nil } }
  }

  package var rejected: [RejectedItem] {
    entries.compactMap { if case .rejected(let item) = $0 { item } else { nil } }
  }
}
