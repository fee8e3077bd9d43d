import Foundation
import SyncCore
import Testing

@testable import JikanSource

@Suite("Jikan's streams: names, requests, what they prove")
struct JikanListTests {
  private static let requests: [(name: String, path: String)] = [
    ("top-anime", "/top/anime?page=12&limit=40"),
    ("top-manga:novel:upcoming", "/top/manga?page=12&limit=40&type=novel&filter=upcoming"),
    ("top-anime:favorite", "/top/anime?page=12&limit=40&filter=favorite"),
    ("anime-catalog", "/anime?order_by=mal_id&sort=asc&page=12&limit=40&unapproved=true"),
    ("manga-catalog", "/manga?order_by=mal_id&sort=asc&page=12&limit=40&unapproved=true"),
    ("seasons:now", "/seasons/now?page=12&limit=40"), ("seasons:upcoming", "/seasons/upcoming?page=12&limit=40"),
    ("seasons:2024:spring", "/seasons/2024/spring?page=12&limit=40"),
    ("seasons:1917:fall", "/seasons/1917/fall?page=12&limit=40"), ("schedules", "/schedules?page=12&limit=40"),
    ("schedules:monday", "/schedules?page=12&limit=40&filter=monday"),
    ("schedules:unknown", "/schedules?page=12&limit=40&filter=unknown"),
    ("genres:anime:genres", "/genres/anime?filter=genres"),
    ("genres:manga:explicit_genres", "/genres/manga?filter=explicit_genres"),
  ]

  @Test("today is the day in Japan")
  func today() {
    #expect(JikanList.dayInJapan(at: Date(timeIntervalSince1970: 0)) == "thursday")
    #expect(JikanList.dayInJapan(at: Date(timeIntervalSince1970: 14 * 3600 + 3599)) == "thursday")
    #expect(JikanList.dayInJapan(at: Date(timeIntervalSince1970: 15 * 3600)) == "friday")
    #expect(JikanList.dayInJapan(at: Date(timeIntervalSince1970: 3 * 86_400)) == "sunday")
  }

  @Test("every name is one list: its requests, from the other end too for a catalogue, whose items alone are looked up")
  func request() throws {
    for (name, path) in Self.requests {
      let lists = JikanList.named(name)
      #expect(lists.map(\.name) == [name])
      let stream = JikanStream(try #require(lists.first), provider: .tenrai, baseURL: "https://api.tenrai.org/v1")
      for (direction, sort) in [(PageAddress.Direction.forward, "sort=asc"), (.backward, "sort=desc")] {
        let url = stream.request(PageAddress(page: 12, size: 40, direction: direction)).url
        #expect(url == "https://api.tenrai.org/v1\(path.replacing("sort=asc", with: sort))")
      }
      #expect(stream.description.id == StreamID(source: .jikan, name: name))
      #expect((stream.lookup == nil) != name.hasSuffix("-catalog"), "\(name)")
    }
  }

  @Test("names of whole families")
  func families() {
    #expect(JikanList.defaults.map(\.name) == ["top-anime", "top-manga"])
    #expect(JikanList.named("seasons").map(\.name) == ["seasons:now", "seasons:upcoming"])
    #expect(JikanList.named("genres").count == 8)
    #expect(Set(JikanList.named("genres")).count == 8)
    #expect(
      JikanList.named("genres:manga").map(\.name)
        == ["genres", "explicit_genres", "themes", "demographics"].map { "genres:manga:\($0)" })
    #expect(JikanList.scheduleFilters.count == 9)
    for filter in JikanList.scheduleFilters {
      #expect(JikanList.named("schedules:\(filter)") == [.schedule(filter: filter)])
    }
    #expect(JikanTopList.named.count == 2 + 9 + 7 + 4 + 4)
    for kind in JikanKind.allCases {
      for subtype in kind.subtypes {
        for filter in kind.filters {
          let list = JikanTopList(kind: kind, subtype: subtype, filter: filter)
          #expect(JikanList.named("top-\(kind.rawValue):\(subtype):\(filter)") == [.top(list)])
        }
      }
    }
    for list in JikanTopList.named { #expect(JikanList.named(list.name) == [.top(list)]) }
  }

  @Test("a range is the seasons of its years, in order; a star is the whole list and each that is narrowed once")
  func ranges() {
    let seasons = ["winter", "spring", "summer", "fall"]
    #expect(JikanList.named("seasons:2020").map(\.name) == seasons.map { "seasons:2020:\($0)" })
    #expect(JikanList.named("seasons:2020..2020") == JikanList.named("seasons:2020"))
    #expect(
      JikanList.named("seasons:2019..2021").map(\.name)
        == ["2019", "2020", "2021"].flatMap { year in seasons.map { "seasons:\(year):\($0)" } })
    #expect(JikanList.named("seasons:1917..2099").count == 732)
    #expect(
      JikanList.named("top-manga:*").map(\.name) == ["top-manga"]
        + [
          "manga", "novel", "lightnovel", "oneshot", "doujin", "manhwa", "manhua", "publishing", "upcoming",
          "bypopularity", "favorite",
        ].map { "top-manga:\($0)" })
    let anime = JikanList.named("top-anime:*").map(\.name)
    #expect(anime.count == 14 && Set(anime).count == 14)
    #expect(anime.first == "top-anime" && anime.contains("top-anime:tv_special") && anime.last == "top-anime:favorite")
    #expect(
      JikanList.named("schedules:*").map(\.name) == ["schedules"] + JikanList.scheduleFilters.map { "schedules:\($0)" })
  }

  @Test(
    "who writes a range wrongly is told how to write it",
    arguments: [
      ("seasons:2021..2019", "first: seasons:2019..2021"), ("seasons:19", "from 1917 to 2099"),
      ("seasons:1916", "from 1917 to 2099"), ("seasons:2019-2021", "seasons:2019..2021"),
      ("seasons:2019..2021:spring", "seasons:2020:spring"), ("seasons:2019..2120", "from 1917 to 2099"),
      ("seasons:*", "seasons:2019..2021"), ("top-anime:*:tv", "top-anime:*, top-manga:*, schedules:*"),
      ("top-*", "top-anime:*"), ("seasons:2019:sumer", nil), ("seasons:2024-spring", nil), ("top-anmie", nil),
    ])
  func advice(name: String, expected: String?) {
    let advice = JikanList.advice(for: name)
    #expect((advice == nil) == (expected == nil))
    if let advice, let expected { #expect(advice.contains(expected), "\(advice)") }
  }

  @Test(
    "anything else is no list",
    arguments: [
      "", ":", "anime", "anime-catalogue", "anime-catalog:", "anime-catalog:tv", "catalog", "top-anime:xx", "seasons:",
      "seasons:2024:", "seasons:19", "seasons:1916", "seasons:2100", "seasons:2021..2019", "seasons:2019..",
      "seasons:..2019", "seasons:2019...2021", "seasons:2019..2020..2021", "seasons:1916..2020", "seasons:2019..2100",
      "seasons:2019-2021", "seasons:2019..2021:spring", "seasons:*", "top-anime:*:tv", "top-anime:tv:*", "top-*",
      "top-anime:**", "top-anime*", "*", ":*", "genres:*", "schedules:monday:*", "anime-catalog:*",
      "seasons:2024:autumn", "seasons:2024:Spring", "seasons:1916:fall", "seasons:2100:fall", "seasons:+2024:fall",
      "seasons:02024:fall", "seasons:٢٠٢٤:fall", "seasons:now:fall",
      "seasons:2024:spring:x", "seasons:2024-spring", "schedules:", "schedules:Monday", "schedules:monday:tuesday",
      "top", "top-", "top-anime:", "top-anime::", "top-anime:tv:", ":tv", "top-anime:TV", "Top-anime",
      "top-anime:airing:tv", "top-anime:tv:tv", "top-anime:airing:upcoming", "top-anime:tv:airing:tv", "top-manga:tv",
      "top-manga:airing", "top-anime:manhua", "top-anime:publishing", "top-anime:all", "top-anime:none", "top-anime ",
      " top-anime", "top-characters", "top-anime&type=tv", "top-anime:tv\u{301}", "top-anime:tv%3A",
      "genres:", "genres:anime:", "genres:an", "genres:anime:theme", "genres:themes", "genres:anime:themes:x", "genre",
    ])
  func junk(name: String) { #expect(JikanList.named(name).isEmpty) }

  @Test("every suggestion is a name, families first, seasons of the year that was written")
  func suggestions() {
    let known = JikanList.suggestions(for: "seasons:2024:sprng")
    for name in known { #expect(!JikanList.named(name).isEmpty, "\(name)") }
    #expect(known.starts(with: ["top-anime", "top-manga", "anime-catalog", "manga-catalog", "seasons", "schedules"]))
    #expect(known.contains("seasons:2024:spring") && known.contains("seasons:2024"))
    #expect(!known.contains("seasons:2023:spring"))
    #expect(Set(known).count == known.count)
  }

  private func description(_ name: String, _ provider: JikanProvider = .tenrai) throws -> StreamDescription {
    JikanStream(
      try #require(JikanList.named(name).first), provider: provider, baseURL: "http://h/v1", topListPublishing: ["500"]
    ).description
  }

  @Test("top lists are walked by pages, end only entries, and note their history")
  func topLists() throws {
    let whole = try description("top-anime")
    #expect(whole.method == .pages)
    #expect(whole.absence == .endsEntry(.wholeList))
    #expect(whole.sql == StreamSQL(folder: "jikan", scope: ["anime", "all", "none"], publishing: ["500"]))
    #expect(whole.pageSize == 50)
    let narrow = try description("top-manga:novel:upcoming", .jikan)
    #expect(narrow.absence == .endsEntry(.filteredList))
    #expect(narrow.sql.scope == ["manga", "novel", "upcoming"])
    #expect(narrow.pageSize == 25)
    #expect(narrow.provider == "jikan")
    #expect(narrow.origin == "http://h/v1")
    #expect(try description("top-manga:novel").absence == .endsEntry(.filteredList))
  }

  @Test("catalogues own the existence of their items, each of which has an address", arguments: JikanKind.allCases)
  func catalogues(kind: JikanKind) throws {
    let description = try description("\(kind.rawValue)-catalog")
    #expect(description.method == .catalogue(pageCap: 1000))
    #expect(try self.description("\(kind.rawValue)-catalog", .jikan).method == .catalogue(pageCap: nil))
    #expect(description.absence == .questionsItem(.wholeList))
    #expect(description.sql == StreamSQL(folder: "jikan", scope: [kind.rawValue]))
    #expect(Reader(.catalogue(kind)).stream.lookup?.request(key: 5114).url == "http://test/v1/\(kind.rawValue)/5114")
  }

  @Test(
    "lists of anime besides the top lists: published like these, without a history; the current ones are windows",
    arguments: [
      ("seasons:now", "season:now", Absence.leavesWindow), ("seasons:upcoming", "season:upcoming", .leavesWindow),
      ("seasons:2024:spring", "season:2024-spring", .endsEntry(.filteredList)),
      ("schedules", "schedule", .leavesWindow), ("schedules:friday", "schedule:friday", .leavesWindow),
    ])
  func otherLists(name: String, filter: String, absence: Absence) throws {
    let description = try description(name)
    #expect(description.method == .pages)
    #expect(description.absence == absence)
    #expect(description.sql == StreamSQL(folder: "jikan", scope: ["anime", "all", filter]))
  }

  @Test(
    "lists that may be empty name the list that shows whether the service works",
    arguments: [
      ("top-anime", nil), ("top-anime:cm", "/top/anime?page=1&limit=50"),
      ("top-anime:upcoming", "/top/anime?page=1&limit=50"), ("top-manga:novel:upcoming", "/top/manga?page=1&limit=50"),
      ("anime-catalog", nil), ("seasons:now", nil), ("seasons:upcoming", nil),
      ("seasons:2026:fall", "/seasons/now?page=1&limit=50"), ("schedules", nil), ("schedules:monday", nil),
      ("schedules:other", "/schedules?page=1&limit=50"), ("schedules:unknown", "/schedules?page=1&limit=50"),
      ("genres:anime:themes", nil),
    ])
  func witnesses(name: String, path: String?) throws {
    #expect(try description(name).witness?.url == path.map { "http://h/v1\($0)" })
  }

  @Test(
    "the current season is that of the calendar, and no other list is of one",
    arguments: [
      (1, "winter"), (2, "winter"), (3, "winter"), (4, "spring"), (6, "spring"), (7, "summer"), (9, "summer"),
      (10, "fall"), (11, "fall"), (12, "fall"),
    ])
  func calendar(month: Int, season: String) throws {
    for list in JikanList.named("seasons") + JikanList.named("seasons:2026:fall") + JikanList.named("schedules") {
      let today = JikanSeason(year: 2026, month: month)
      let stream = JikanStream(list, provider: .tenrai, baseURL: "http://h/v1", today: today)
      #expect(stream.description.expectedSpan == (list == .season(.now) ? "2026 \(season)" : nil))
    }
  }

  @Test("a list of genres is one answer; half of it may go, not all")
  func genres() throws {
    let description = try description("genres:manga:explicit_genres")
    #expect(description.method == .single)
    #expect(description.sql == StreamSQL(folder: "jikan/genres", scope: ["manga", "explicit_genres"]))
    let rule = try #require(description.absence.shrinkGuard)
    #expect(!rule.refuses(removing: 1, of: 2))
    #expect(rule.refuses(removing: 2, of: 3))
    #expect(rule.refuses(removing: 1, of: 1))
  }

  @Test("the published limits, and no address for what only the user can know")
  func providers() {
    #expect(JikanProvider.tenrai.publishedLimits.map(\.description) == ["3/1s", "60/60s", "40000/86400s"])
    #expect(JikanProvider.jikan.publishedLimits.map(\.description) == ["3/1s", "60/60s"])
    #expect(JikanProvider.tenrai.pageCap == 1000)
    #expect(JikanProvider.jikan.pageCap == nil)
    #expect(JikanProvider.jikan.defaultBaseURL == nil)
    #expect(JikanProvider.tenrai.defaultBaseURL == "https://api.tenrai.org/v1")
  }
}
