import SyncCore
import SyncSources
import Testing

@Suite("Names and requests of Jikan's top lists")
struct JikanTopListTests {
  @Test("every list of the API has a name that is read back")
  func names() {
    #expect(JikanTopList.named.count == 2 + 9 + 7 + 4 + 4)
    for list in JikanTopList.named { #expect(JikanTopList(name: list.name) == list) }
    for kind in JikanKind.allCases {
      for subtype in kind.subtypes {
        for filter in kind.filters {
          let list = JikanTopList(kind: kind, subtype: subtype, filter: filter)
          #expect(list.name == "top-\(kind.rawValue):\(subtype):\(filter)")
          #expect(JikanTopList(name: list.name) == list)
        }
      }
    }
    #expect(JikanTopList.defaults.map(\.name) == ["top-anime", "top-manga"])
  }

  @Test("the values of the API's own enums")
  func values() {
    for (name, subtype, filter) in [
      ("top-anime:tv", "tv", nil), ("top-anime:tv_special", "tv_special", nil), ("top-anime:airing", nil, "airing"),
      ("top-anime:favorite", nil, "favorite"), ("top-anime:movie:bypopularity", "movie", "bypopularity"),
    ] as [(String, String?, String?)] {
      #expect(JikanTopList(name: name) == JikanTopList(kind: .anime, subtype: subtype, filter: filter))
    }
    #expect(JikanTopList(name: "top-manga:manga") == JikanTopList(kind: .manga, subtype: "manga"))
    #expect(JikanTopList(name: "top-manga:publishing") == JikanTopList(kind: .manga, filter: "publishing"))
    #expect(JikanTopList(name: "top-manga:manhua") == JikanTopList(kind: .manga, subtype: "manhua"))
  }

  @Test(
    "anything else is no list",
    arguments: [
      "", ":", "top", "top-", "top-anime:", "top-anime::", "top-anime:tv:", ":tv", "top-anime:xx", "top-anime:TV",
      "Top-anime", "top-anime:airing:tv", "top-anime:tv:tv", "top-anime:airing:upcoming", "top-anime:tv:airing:tv",
      "top-manga:tv", "top-manga:airing", "top-anime:manhua", "top-anime:publishing", "top-anime:all",
      "top-anime:none", "top-anime ", " top-anime", "top-characters", "anime", "top-anime&type=tv",
      "top-anime:tv\u{301}",
      "top-anime:tv%3A",
    ])
  func junk(name: String) {
    #expect(JikanTopList(name: name) == nil)
  }

  @Test("requests of each provider")
  func requests() {
    let tenrai = JikanTopStream(
      list: JikanTopList(kind: .anime), provider: .tenrai, baseURL: "https://api.tenrai.org/v1")
    #expect(tenrai.request(page: 1).url == "https://api.tenrai.org/v1/top/anime?page=1&limit=50")
    let hosted = JikanTopStream(
      list: JikanTopList(kind: .manga, subtype: "novel", filter: "upcoming"), provider: .jikan,
      baseURL: "http://localhost:8080/v4")
    #expect(
      hosted.request(page: 12).url
        == "http://localhost:8080/v4/top/manga?page=12&limit=25&type=novel&filter=upcoming")
  }

  @Test("what the store learns of a stream")
  func description() {
    let whole = JikanTopStream(list: JikanTopList(kind: .anime), provider: .tenrai, baseURL: "http://h/v1").description
    #expect(whole.id == StreamID(source: .jikan, name: "top-anime"))
    #expect(whole.sql.scope == ["anime", "all", "none"])
    #expect(whole.shrinkGuard == .wholeList)
    #expect(whole.pageSize == 50)
    let narrow = JikanTopStream(
      list: JikanTopList(kind: .manga, subtype: "novel", filter: "upcoming"), provider: .jikan, baseURL: "http://h/v4"
    ).description
    #expect(narrow.sql.scope == ["manga", "novel", "upcoming"])
    #expect(narrow.shrinkGuard == .filteredList)
    #expect(narrow.pageSize == 25)
    #expect(narrow.provider == "jikan")
    #expect(narrow.origin == "http://h/v4")
  }

  @Test("the published limits, and no address for what only the user can know")
  func providers() {
    #expect(JikanProvider.tenrai.publishedLimits.map(\.description) == ["3/1s", "60/60s", "40000/86400s"])
    #expect(JikanProvider.jikan.publishedLimits.map(\.description) == ["3/1s", "60/60s"])
    #expect(JikanProvider.jikan.defaultBaseURL == nil)
    #expect(JikanProvider.tenrai.defaultBaseURL == "https://api.tenrai.org/v1")
  }
}
