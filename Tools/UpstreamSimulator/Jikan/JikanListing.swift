struct JikanListing: Sendable {
  private let chosen: [UInt32]?
  private let neighbours: RepeatedRows?
  private let across: RepeatedRows?
  let total: Int
  private let count: Int
  private let withAcross: Int

  private init(_ chosen: [UInt32]?, count: Int, settings: JikanSettings, hasRepeatsAcross: Bool) {
    self.chosen = chosen
    self.count = count
    neighbours = RepeatedRows(rate: settings.repeats, distance: 1, draws: Draws(seed: settings.seed, stream: 5))
    // A page has fewer than 51 rows, so the repeat is on a later page.
    across = RepeatedRows(
      rate: hasRepeatsAcross ? settings.repeatsAcross : 0, distance: 51, draws: Draws(seed: settings.seed, stream: 6))
    withAcross = across?.total(of: count) ?? count
    total = neighbours?.total(of: withAcross) ?? withAcross
  }

  func row(at position: Int) -> Int {
    // Repeats of the previous row are added last, so that nothing moves them to another page.
    let listed = neighbours?.row(at: position, of: withAcross) ?? position
    let index = across?.row(at: listed, of: count) ?? listed
    return chosen.map { Int($0[index]) } ?? index
  }

  static func make(
    _ selection: JikanSelection, of catalogue: SimulatedCatalogue, settings: JikanSettings
  ) -> JikanListing {
    guard selection != JikanSelection() else {
      return JikanListing(nil, count: catalogue.count, settings: settings, hasRepeatsAcross: true)
    }
    // The sort key is in the upper half of the integer, and the row number in the lower half.
    var keys: [UInt64] = []
    for index in 0..<catalogue.count {
      let row = catalogue.row(index)
      guard selection.keeps(row) else { continue }
      keys.append(UInt64(selection.orderKey(of: row)) << 32 | UInt64(UInt32.max - UInt32(index)))
    }
    if selection.order != .score { keys.sort(by: >) }
    return JikanListing(
      keys.map { UInt32.max - UInt32(truncatingIfNeeded: $0) }, count: keys.count, settings: settings,
      hasRepeatsAcross: selection.order != .identifier)
  }
}
