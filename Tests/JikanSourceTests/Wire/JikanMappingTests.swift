import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Documents of Jikan as they are stored")
struct JikanMappingTests {
  private func mapping(_ name: String) throws -> JikanMapping {
    try #require(JikanMapping.all.first { $0.name == name }, "\(JikanMapping.all.map(\.name))")
  }

  @Test("every table with documents has one mapping, of the version of its streams")
  func all() throws {
    #expect(JikanMapping.all.count == 10)
    let lists: [JikanList] =
      JikanKind.allCases.map { .top(JikanTopList(kind: $0)) } + JikanKind.allCases.map { .catalogue($0) }
      + [.season(.now), .schedule(filter: nil)] + JikanList.named("genres")
    for list in lists {
      let stream = JikanStream(list, provider: .tenrai, baseURL: "http://test/v1").description
      let scope = stream.sql.folder == "jikan" ? Array(stream.sql.scope.prefix(1)) : stream.sql.scope
      let found = JikanMapping.all.filter { $0.sql.folder == stream.sql.folder && $0.sql.scope == scope }
      #expect(found.count == 1, "\(list.name)")
      #expect(found.first?.version == stream.mappingVersion, "\(list.name)")
    }
    #expect(Set(JikanMapping.all.map(\.name)).count == 10)
  }

  @Test("a document as PostgreSQL writes it is the item that it was on a page")
  func asWrittenByPostgreSQL() throws {
    let page = try Reader().page(items: [
      #"{"mal_id":7,"title":"é\u0000/","score":8.50,"members":1e2,"b":[1.50,-0,1e3,2.5e-3],"bb":{"a":null}}"#
    ])
    let item = try #require(page.items.first)
    // PostgreSQL sorts shorter names first, writes numbers without exponents, and adds white space.
    let stored = """
      {"b": [1.50, 0, 1000, 0.0025], "bb": {"a": null}, "score": 8.50, "title": "é\u{FFFD}/", "mal_id": 7, \
      "members": 100}
      """
    guard case .item(let read) = try mapping("jikan anime").read(Array(stored.utf8), key: 7) else {
      Issue.record("not read")
      return
    }
    #expect(read.key == item.key)
    #expect(read.contentHash == item.contentHash)
    #expect(read.contentHash.last == 4)
    #expect(read.counterHash == item.counterHash)
    #expect(!read.isRepaired)
  }

  @Test("genres, and documents that cannot be read")
  func others() throws {
    let genres = try mapping("jikan genres:manga:themes")
    #expect(genres.sql.scope == ["manga", "themes"])
    #expect(genres.read(Array(#"{"name": "A", "mal_id": 3}"#.utf8), key: 3).key == 3)
    #expect(genres.read(Array(#"{"name": [], "mal_id": 3}"#.utf8), key: 3).key == 3)
    guard case .rejected(let wrong) = genres.read(Array(#"{"name": "A", "mal_id": "3"}"#.utf8), key: 3),
      case .rejected(let none) = genres.read(Array("nonsense".utf8), key: 3)
    else {
      Issue.record("taken")
      return
    }
    #expect(wrong.key == nil && wrong.reason == "no_id")
    #expect(none.key == nil && none.reason == "unreadable")
  }
}
