import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// The anime that are broadcast on the present day in Japan, for the first page.
enum JikanToday {
  /// Returns the anime with the most members, in the order of their times; `nil` if none is on air.
  static func read(_ database: Database) async throws -> WebToday? {
    let day = JikanList.dayInJapan(at: Date())
    let rows = try await JikanCatalogue.schedule(day: day, limit: nil, in: database).namedRows
    let known = rows.filter { $0["title"] != nil }
    guard !known.isEmpty else { return nil }
    let popular = Set(
      known.sorted { ($0.int("members") ?? 0) > ($1.int("members") ?? 0) }.prefix(Limits.todayOnPage)
        .map { $0.int("mal_id") })
    let items = known.filter { popular.contains($0.int("mal_id")) }.map(item)
    let all = "All \(HumanFormat.count(known.count)) anime of today"
    return WebToday(
      title: "On air today", items: items, rest: known.count > items.count ? WebFact(all, to: "/airing") : nil)
  }

  private static func item(_ row: NamedRow) -> WebItem {
    let path = row.int("mal_id").map { JikanKind.anime.path(of: Int64($0)) }
    var item = WebItem(row["title"] ?? "", path: path, picture: row["image_url"])
    item.subtitle = row["title_japanese"].map { (text: $0, language: "ja") }
    let zone = row["timezone"] == "Asia/Tokyo" ? "in Japan" : row["timezone"]
    let time = row["time"].map { [$0, zone].compactMap(\.self).joined(separator: " ") }
    let score = row["score"].map { "score \(HumanFormat.twoDecimals($0))" }
    item.details = [[time, row["type"], score].compactMap(\.self).joined(separator: ", ")]
    return item
  }
}
