struct JikanSelection: Hashable, Sendable {
  enum Order: Sendable { case score, members, fewestMembers, favorites, identifier }

  var order = Order.score
  var type: String?
  var status: JikanRow.Status?
  var season: SimulatedSeason?
  var day: String?
  var isApprovedOnly = false

  func keeps(_ row: JikanRow) -> Bool {
    if isApprovedOnly, !row.isApproved { return false }
    if let type, row.type?.parameter != type { return false }
    if let status, row.status != status { return false }
    guard season != nil || day != nil else { return true }
    let from = JikanDates(row).from
    if let season, from.map(season.contains) != true { return false }
    if let day, JikanSchedule.filter(row, from: from) != day { return false }
    return true
  }

  func orderKey(of row: JikanRow) -> UInt32 {
    switch order {
    case .score: 0
    case .members: UInt32(clamping: row.members)
    case .fewestMembers: UInt32.max - UInt32(clamping: row.members)
    case .favorites: UInt32(clamping: row.favorites)
    case .identifier: UInt32.max - UInt32(clamping: row.malID)
    }
  }
}
