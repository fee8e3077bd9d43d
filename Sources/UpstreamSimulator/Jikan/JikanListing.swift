import Synchronization

/// The rows of a selection in their order, with the repeats the list shows.
struct JikanListing: Sendable {
  private enum Rows: Sendable {
    case all(Int)
    case chosen([UInt32])
  }

  private let rows: Rows
  private let neighbours: RepeatedRows?
  private let across: RepeatedRows?
  /// The number of rows as listed, repeats included.
  let total: Int

  private init(rows: Rows, settings: JikanSettings) {
    self.rows = rows
    let count =
      switch rows {
      case .all(let count): count
      case .chosen(let indices): indices.count
      }
    neighbours = RepeatedRows(rate: settings.repeats, distance: 1, draws: Draws(seed: settings.seed, stream: 5))
    // 51 rows on is another page for every page size.
    across = RepeatedRows(rate: settings.repeatsAcross, distance: 51, draws: Draws(seed: settings.seed, stream: 6))
    let withAcross = across?.total(of: count) ?? count
    total = neighbours?.total(of: withAcross) ?? withAcross
    self.count = count
    self.withAcross = withAcross
  }

  private let count: Int
  private let withAcross: Int

  /// The row number at a position of the list, from 0 to below `total`.
  func row(at position: Int) -> Int {
    // Neighbours come last, so that nothing pushes them onto two pages.
    let listed = neighbours?.row(at: position, of: withAcross) ?? position
    let place = across?.row(at: listed, of: count) ?? listed
    switch rows {
    case .all: return place
    case .chosen(let indices): return Int(indices[place])
    }
  }

  /// Selects and orders rows: four bytes a row unless the list is the whole catalogue by score.
  static func make(
    _ selection: JikanTopQuery.Selection, of catalogue: JikanCatalogue, settings: JikanSettings
  ) -> JikanListing {
    guard selection != JikanTopQuery.Selection() else {
      return JikanListing(rows: .all(catalogue.count), settings: settings)
    }
    // The order's key above the row number: one sort of plain numbers, ties by row.
    var keys: [UInt64] = []
    for index in 0..<catalogue.count {
      let row = catalogue.row(index)
      guard selection.keeps(row) else { continue }
      keys.append(UInt64(UInt32(clamping: selection.orderKey(of: row))) << 32 | UInt64(UInt32.max - UInt32(index)))
    }
    if selection.filter != nil { keys.sort(by: >) }
    return JikanListing(
      rows: .chosen(keys.map { UInt32.max - UInt32(truncatingIfNeeded: $0) }), settings: settings)
  }
}

extension JikanTopQuery.Selection {
  fileprivate func keeps(_ row: JikanRow) -> Bool {
    if let type, row.type?.parameter != type { return false }
    if let rating, row.rating?.parameter != rating { return false }
    if safeForWork, row.isExplicit { return false }
    switch filter {
    case "airing", "publishing": return row.status == .current
    case "upcoming": return row.status == .upcoming
    default: return true
    }
  }

  /// Favourites have an order of their own; the other filters go by members, and no filter by score, the row number.
  fileprivate func orderKey(of row: JikanRow) -> Int {
    switch filter {
    case nil: 0
    case "favorite": row.favorites
    default: row.members
    }
  }
}

/// The listings in use; the oldest goes when a new selection comes.
final class JikanListings: Sendable {
  private static let limit = 8
  private let catalogue: JikanCatalogue
  private let settings: JikanSettings
  private let cached = Mutex<[(selection: JikanTopQuery.Selection, listing: JikanListing)]>([])

  init(catalogue: JikanCatalogue, settings: JikanSettings) {
    self.catalogue = catalogue
    self.settings = settings
  }

  /// The listing of a selection; built under the lock, so that requests at once do not build it twice.
  func listing(_ selection: JikanTopQuery.Selection) -> JikanListing {
    cached.withLock { cached in
      if let known = cached.first(where: { $0.selection == selection }) { return known.listing }
      let made = JikanListing.make(selection, of: catalogue, settings: settings)
      if cached.count >= Self.limit { cached.removeFirst() }
      cached.append((selection, made))
      return made
    }
  }
}
