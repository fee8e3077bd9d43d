import SyncCore

/// What a dry run has met and would have written by now.
///
/// A run compares each page with what its own earlier pages have written, and with what the earlier streams of the same
/// command have. A dry run writes nothing, so it keeps what decides: for each key that was met 16 bytes, and of the
/// earlier streams only the items that would have been written.
struct PlannedItems {
  /// What an item would be like, as far as it takes to see that it would change again.
  ///
  /// Pieces of its hashes: of 4,000,000,000 such changes, one is missed.
  struct Version: Equatable {
    fileprivate let value: UInt64

    fileprivate static let mirrored = Version(value: 0)
    static let vanished = Version(value: 1)

    fileprivate init(value: UInt64) { self.value = value }

    init(_ item: PageItem) {
      // Over all of the hash, whose single bytes need not be evenly spread.
      let content = item.contentHash.fnv1a
      let counters = UInt64(bitPattern: item.counterHash)
      // Never 0 in its upper half.
      value = (content >> 32 | 1) << 32 | (counters ^ counters >> 32) & 0xFFFF_FFFF
    }

    /// Whether more than the counters are the same.
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

  /// Keys that the walk has met, in its order. One that would change again is listed again.
  private(set) var keys: [Int64] = []
  private var versions: [Version] = []
  /// Items that are new, or that had vanished: so many more would be live.
  var added = 0

  /// What the streams before this one would have written, by space.
  private var earlier: [String: Sorted] = [:]
  private var space = ""

  /// Begins a walk.
  ///
  /// - Parameter space: the same for streams of the same items.
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

  /// Notes keys of a page of which nothing would be written.
  mutating func meet(_ keys: some Collection<Int64>) {
    self.keys.append(contentsOf: keys)
    versions.append(contentsOf: repeatElement(.mirrored, count: keys.count))
  }

  /// Notes what a page would write.
  mutating func write(_ items: [(key: Int64, version: Version)]) {
    keys.append(contentsOf: items.map(\.key))
    versions.append(contentsOf: items.map(\.version))
  }

  /// What would have been written of these items.
  ///
  /// - Parameter repeated: those that the walk has met before.
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
