import Foundation
import SyncCore
import Testing

@testable import JikanSource

@Suite("The pages of anime and manga")
struct JikanWebTests {
  private static let berlin = ServerZone(zone: TimeZone(identifier: "Europe/Berlin") ?? .gmt) { _ in "CET" }
  /// A Wednesday, 23:00 in Japan.
  private static let wednesday = Date(timeIntervalSince1970: 1_767_794_400)

  @Test(
    "a broadcast has the time on the server, with the weekday if it differs",
    arguments: [
      ("thursday", "23:30", "15:30 CET"), ("friday", "01:00", "Thu 17:00 CET"), ("wednesday", "07:59", "Tue 23:59 CET"),
    ])
  func broadcasts(day: String, time: String, expected: String) {
    let broadcast = JikanBroadcast(day: day, time: time, zone: "Asia/Tokyo")
    #expect(broadcast.text(on: Self.berlin, at: Self.wednesday) == expected)
    #expect(broadcast.text == "\(time) JST")
  }

  @Test("a broadcast without a valid time has no text", arguments: [nil, "", "25:99", "1:30", "２３:３０", "23:30:00"])
  func invalidTimes(time: String?) {
    let broadcast = JikanBroadcast(day: "monday", time: time, zone: "Asia/Tokyo")
    #expect(broadcast.text == nil && broadcast.text(on: Self.berlin, at: Self.wednesday) == nil)
  }

  @Test("the server's time is omitted in Japan, for an unknown zone and for a day that is no weekday")
  func omittedTimes() {
    let japan = ServerZone(zone: JikanBroadcast.japan) { _ in "JST" }
    #expect(
      JikanBroadcast(day: "monday", time: "10:00", zone: "Asia/Tokyo").text(on: japan, at: Self.wednesday) == nil)
    #expect(JikanBroadcast(day: "monday", time: "10:00", zone: "Mars").text(on: Self.berlin, at: Self.wednesday) == nil)
    #expect(JikanBroadcast(day: "other", time: "10:00", zone: nil).text(on: Self.berlin, at: Self.wednesday) == nil)
  }

  @Test("/seasons shows the latest season that has begun, and links to the mirrored seasons beside it")
  func seasons() {
    let mirrored = [
      JikanSeason.upcoming, .of(year: 2026, .spring), .of(year: 2025, .fall), .of(year: 2024, .summer),
    ].map { JikanSeasonPages.Mirrored(season: $0, entries: 1) }
    // Winter 2026 has begun, but the mirror does not have it.
    #expect(JikanSeasonPages.latest(mirrored, at: Self.wednesday) == .of(year: 2025, .fall))
    #expect(JikanSeasonPages.latest(mirrored, at: Date(timeIntervalSince1970: 0)) == .of(year: 2024, .summer))
    #expect(JikanSeasonPages.latest([mirrored[0]], at: Self.wednesday) == nil)
    let beside = JikanSeasonPages.neighbours(of: .of(year: 2026, .winter), in: mirrored)
    #expect(beside.before == .of(year: 2025, .fall) && beside.after == .of(year: 2026, .spring))
    let now = JikanSeasonPages.neighbours(of: .now, in: mirrored)
    #expect(now.before == nil && now.after == nil)
  }

  @Test("titles have the language of their script, so that Han characters have the right shapes")
  func languages() {
    let manga = JikanTitleLanguage(type: "Manga")
    #expect(manga.code(of: "Sousou no Frieren") == nil && manga.code(of: "葬送のフリーレン") == "ja")
    #expect(manga.code(ofOriginal: "鋼") == "ja" && JikanTitleLanguage(type: "Manhua").code(ofOriginal: "鋼") == "zh")
    #expect(JikanTitleLanguage(type: "Manhwa").code(ofOriginal: "나 혼자만 레벨업") == "ko")
  }

  @Test("a list's path leads to the page that has the position")
  func paths() throws {
    func path(_ name: String, _ position: Int) throws -> String? {
      try #require(JikanList.named(name).first).path(at: position)
    }
    #expect(try path("top-anime", 50) == "/rankings/anime" && path("top-anime", 51) == "/rankings/anime?page=2")
    #expect(try path("top-manga:novel:publishing", 101) == "/rankings/manga?type=novel&list=publishing&page=3")
    #expect(try path("seasons:2024:spring", 3) == "/seasons/2024/spring" && path("seasons:now", 3) == "/seasons/now")
    #expect(try path("schedules:monday", 3) == "/airing?day=monday" && path("anime-catalog", 3) == nil)
    #expect(JikanKind.anime.path(ofMaker: "AC/Next") == "/studios/AC%2FNext")
  }
}
