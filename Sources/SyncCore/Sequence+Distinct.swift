extension Sequence where Element: Hashable {
  /// The elements without those that were there before, in their order.
  package func distinct() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
