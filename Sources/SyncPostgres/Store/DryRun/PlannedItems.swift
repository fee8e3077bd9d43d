import SyncCore

/// The version of each item that a dry run has seen. Each item takes 16 bytes.
struct PlannedItems {
  /// 32 bits of each of the item's two hashes. One change in 4,000,000,000 is missed.
  struct Version: Equatable {
    fileprivate let value: UInt64

    fileprivate static let mirrored = Version(value: 0)
    static let vanished = Version(value: 1)

    fileprivate init(value: UInt64) { self.value = value }

    init(_ item: PageItem) {
      let content = item.contentHash.fnv1a
      let counters = UInt64(bitPattern: item.counterHash)
      // The upper half is never 0, so that no item equals `mirrored` or `vanished`.
      value = (content >> 32 | 1) << 32 | (counters ^ counters >> 32) & 0xFFFF_FFFF
    }

    func hasContent(of other: Version) -> Bool { value >> 32 == other.value >> 32 }
  }

  /// A key occurs twice if the item would change twice.
  private(set) var keys: [Int64] = []
  private var versions: [Version] = []
  var added = 0

  private var earlier: [String: [Int64: Version]] = [:]
  private var space = ""

  /// - Parameter space: an id of the set of items, which several streams can share.
  mutating func begin(_ space: String) {
    for (key, version) in zip(keys, versions) where version != .mirrored {
      earlier[self.space, default: [:]][key] = version
    }
    self.space = space
    keys = []
    versions = []
    added = 0
  }

  mutating func meet(_ keys: some Collection<Int64>) {
    self.keys.append(contentsOf: keys)
    versions.append(contentsOf: repeatElement(.mirrored, count: keys.count))
  }

  mutating func write(_ items: [(key: Int64, version: Version)]) {
    keys.append(contentsOf: items.map(\.key))
    versions.append(contentsOf: items.map(\.version))
  }

  func written(of keys: some Sequence<Int64>, repeated: Set<Int64>) -> [Int64: Version] {
    var found: [Int64: Version] = [:]
    if let earlier = earlier[space] {
      for key in keys { found[key] = earlier[key] }
    }
    guard !repeated.isEmpty else { return found }
    for (key, version) in zip(self.keys, versions) where version != .mirrored && repeated.contains(key) {
      found[key] = version
    }
    return found
  }
}
