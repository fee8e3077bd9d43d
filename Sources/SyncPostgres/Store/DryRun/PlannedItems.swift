import SyncCore

/// A dry run compares pages with these versions, where a run compares with rows that it has written. Costs 16 bytes per
/// seen item; of earlier streams, only planned writes are kept.
struct PlannedItems {
  /// Parts of the item's hashes, which miss 1 of 4,000,000,000 changes.
  struct Version: Equatable {
    fileprivate let value: UInt64

    fileprivate static let mirrored = Version(value: 0)
    static let vanished = Version(value: 1)

    fileprivate init(value: UInt64) { self.value = value }

    init(_ item: PageItem) {
      // A hash of the whole content hash, because single bytes may be unevenly distributed.
      let content = item.contentHash.fnv1a
      let counters = UInt64(bitPattern: item.counterHash)
      // The upper half is never 0, so that no item equals the two special values.
      value = (content >> 32 | 1) << 32 | (counters ^ counters >> 32) & 0xFFFF_FFFF
    }

    func hasContent(of other: Version) -> Bool { value >> 32 == other.value >> 32 }
  }

  private struct Sorted {
    var keys: [Int64] = []
    var versions: [Version] = []

    func version(of key: Int64) -> Version? {
      var low = 0
      var high = keys.count
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low < keys.count && keys[low] == key ? versions[low] : nil
    }
  }

  /// An item that would change again is appended again.
  private(set) var keys: [Int64] = []
  private var versions: [Version] = []
  /// The number of items that a run would add or restore.
  var added = 0

  /// By space.
  private var earlier: [String: Sorted] = [:]
  private var space = ""

  /// - Parameter space: identifies streams that share the same items.
  mutating func begin(_ space: String) {
    keepWritten()
    self.space = space
    (keys, versions) = ([], [])
    added = 0
  }

  private mutating func keepWritten() {
    var written: [Int64: Version] = [:]
    for (key, version) in zip(keys, versions) where version != .mirrored { written[key] = version }
    guard !written.isEmpty else { return }
    if let before = earlier[space] {
      written.merge(zip(before.keys, before.versions)) { new, _ in new }
    }
    let sorted = written.sorted { $0.key < $1.key }
    earlier[space] = Sorted(keys: sorted.map(\.key), versions: sorted.map(\.value))
  }

  mutating func meet(_ keys: some Collection<Int64>) {
    self.keys.append(contentsOf: keys)
    versions.append(contentsOf: repeatElement(.mirrored, count: keys.count))
  }

  mutating func write(_ items: [(key: Int64, version: Version)]) {
    keys.append(contentsOf: items.map(\.key))
    versions.append(contentsOf: items.map(\.version))
  }

  /// - Parameter repeated: items that the walk has seen before.
  func written(of keys: some Sequence<Int64>, repeated: Set<Int64>) -> [Int64: Version] {
    var found: [Int64: Version] = [:]
    if let earlier = earlier[space] {
      for key in keys { found[key] = earlier.version(of: key) }
    }
    guard !repeated.isEmpty else { return found }
    for (key, version) in zip(self.keys, versions) where version != .mirrored && repeated.contains(key) {
      found[key] = version
    }
    return found
  }
}
