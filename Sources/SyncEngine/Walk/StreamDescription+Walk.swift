package import SyncCore

extension StreamDescription {
  /// Returns the rules for walking the stream's list or lists. Replaying the readings of `open` continues its walk.
  func walk(continuing open: OpenWalk) -> any Walk {
    lists == nil ? listWalk(knowing: open.repeats) : ListSequence(self, continuing: open)
  }

  /// Returns the rules for walking the stream's list, or each of its lists, at the start of the list.
  /// - Parameters:
  ///   - repeats: The items that the previous walk found on several pages.
  ///   - largestOtherPage: The number of items of the largest page of other lists of the stream.
  package func listWalk(knowing repeats: ListedRepeats = [:], largestOtherPage: Int = 0) -> any Walk {
    switch method {
    case .pages, .documents:
      ListWalk(
        pageSize: pageSize, mayBeEmpty: witness != nil, largestOtherPage: largestOtherPage, previousRepeats: repeats)
    case .positions:
      ListWalk(
        pageSize: pageSize, isByPosition: true, mayBeEmpty: witness != nil, largestOtherPage: largestOtherPage,
        previousRepeats: repeats)
    case .single: ListWalk(pageSize: pageSize, as: .single)
    case .sample: ListWalk(pageSize: pageSize, as: .sample)
    case .batches: ListWalk(pageSize: pageSize, as: .batches)
    case .chain: ChainWalk(pageSize: pageSize, isByKey: isChainByKey)
    case .catalogue(let pageCap): CatalogueWalk(pageSize: pageSize, pageCap: pageCap)
    }
  }
}
