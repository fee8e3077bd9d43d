/// What a stream has published, in the parts by which it can be requested again.
package enum MirroredParts: Sendable, Equatable {
  case pages([Page])
  /// Keys of documents that have an address of their own.
  case documents([Int64])

  package struct Page: Sendable, Equatable {
    package let address: PageAddress
    /// Of the items that it had.
    package let keys: [Int64]

    package init(address: PageAddress, keys: [Int64]) {
      self.address = address
      self.keys = keys
    }
  }

  package var count: Int {
    switch self {
    case .pages(let pages): pages.count
    case .documents(let keys): keys.count
    }
  }

  /// Those at some places.
  package func chosen(_ places: [Int]) -> MirroredParts {
    switch self {
    case .pages(let pages): .pages(places.map { pages[$0] })
    case .documents(let keys): .documents(places.map { keys[$0] })
    }
  }
}
