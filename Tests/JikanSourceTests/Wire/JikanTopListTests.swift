import Testing

@testable import JikanSource

@Suite("Names of Jikan's top lists")
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
      "top-anime:tv\u{301}", "top-anime:tv%3A",
    ])
  func junk(name: String) {
    #expect(JikanTopList(name: name) == nil)
  }
}
