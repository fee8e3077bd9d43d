/// Whether the keys of a page ascend, in the order in which a service can compare texts.
enum KeyOrder {
  /// - Parameter keys: The texts of each item's key members.
  /// - Returns: Whether each key is larger than the key before it: as numbers, by code points, or without case. The
  ///   service's own order is unknown, so one of these orders is enough.
  static func ascends(_ keys: [[String]]) -> Bool {
    let numbers = keys.map { $0.compactMap { Int($0) } }
    if zip(keys, numbers).allSatisfy({ $0.count == $1.count }), isAscending(numbers) { return true }
    let points = keys.map { $0.map { $0.unicodeScalars.map { Int($0.value) } } }
    if isAscending(points) { return true }
    return isAscending(keys.map { $0.map { $0.lowercased().unicodeScalars.map { Int($0.value) } } })
  }

  private static func isAscending(_ keys: [[Int]]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
  }

  private static func isAscending(_ keys: [[[Int]]]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { one, two in
      one.lexicographicallyPrecedes(two) { $0.lexicographicallyPrecedes($1) }
    }
  }
}
