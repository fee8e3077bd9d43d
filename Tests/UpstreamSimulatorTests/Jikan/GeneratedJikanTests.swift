import SyncTestKit
import Testing
import UpstreamSimulator

@Suite("Generated Jikan: lists", .computesLong)
struct GeneratedJikanListTests {
  @Test("The envelope has the five members, in the real order, and nothing else")
  func envelope() async throws {
    let jikan = GeneratedJikan(settings(60))
    let first = #"{"pagination":{"last_visible_page":3,"has_next_page":true,"current_page":1,"#
    #expect(
      await jikan.text("/v4/top/anime").hasPrefix(
        first + #""items":{"count":25,"total":60,"per_page":25}},"data":[{"mal_id":"#))
    let last = #"{"pagination":{"last_visible_page":3,"has_next_page":false,"current_page":3,"#
    let body = await jikan.text("/v1/top/manga?limit=20&page=3")
    #expect(body.hasPrefix(last + #""items":{"count":20,"total":60,"per_page":20}},"data":["#))
    #expect(body.hasSuffix("]}"))
  }

  @Test("A list without rows is one empty page")
  func empty() async {
    let body = await GeneratedJikan(settings(0)).text("/v4/top/anime")
    let pagination = #"{"last_visible_page":1,"has_next_page":false,"current_page":1,"#
    #expect(body == #"{"pagination":"# + pagination + #""items":{"count":0,"total":0,"per_page":25}},"data":[]}"#)
  }

  @Test("28,000 rows have 28,000 numbers, scattered, and each is found by its number")
  func uniqueNumbers() async throws {
    let jikan = GeneratedJikan(settings(28_000))
    let numbers = await jikan.numbers("/v1/top/anime", limit: 50).flatMap(\.self)
    #expect(numbers.count == 28_000)
    #expect(Set(numbers).count == 28_000)
    #expect(numbers != numbers.sorted() && numbers.allSatisfy { (1...65_536).contains($0) })
    for number in numbers.prefix(50) {
      #expect(await jikan.text("/v4/anime/\(number)").hasPrefix(#"{"data":{"mal_id":\#(number),"#))
    }
    let known = Set(numbers)
    let missing = try #require((1...100).first { !known.contains($0) })
    let answer = await jikan.get("/v4/anime/\(missing)")
    #expect(answer.status == 404)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(#"net\/anime\/\#(missing)""#))
  }

  @Test("The same seed gives the same bytes; another seed others")
  func determinism() async {
    let target = "/v4/top/manga?page=3"
    let first = await GeneratedJikan(settings(200)).text(target)
    #expect(await GeneratedJikan(settings(200)).text(target) == first)
    #expect(await GeneratedJikan(settings(200) { $0.seed = 2 }).text(target) != first)
  }

  @Test("Repeats are adjacent on one page of any size", arguments: [7, 10, 25, 50])
  func repeats(limit: Int) async {
    let jikan = GeneratedJikan(settings(5000) { $0.repeats = 0.01 })
    let pages = await jikan.numbers("/v1/top/anime", limit: limit)
    #expect(pages.joined().count == 5050)
    #expect(Set(pages.joined()).count == 5000)
    let neighbours = pages.map { page in zip(page, page.dropFirst()).count { $0 == $1 } }
    #expect(neighbours.reduce(0, +) == 50)
  }

  @Test("Repeats across pages never meet on one", arguments: [25, 50])
  func repeatsAcross(limit: Int) async {
    let jikan = GeneratedJikan(settings(3000) { $0.repeatsAcross = 0.02 })
    let pages = await jikan.numbers("/v1/top/manga", limit: limit)
    let count = pages.joined().count
    #expect((3050...3060).contains(count))
    #expect(Set(pages.joined()).count == 3000)
    #expect(pages.allSatisfy { Set($0).count == $0.count })
  }
}

@Suite("Generated Jikan: selections", .computesLong)
struct GeneratedJikanSelectionTests {
  private let jikan = GeneratedJikan(settings(4000))

  @Test("A type keeps its rows and all of them")
  func types() async throws {
    var labels: [String?] = []
    for page in 1...80 { labels += try await jikan.page("/v1/top/anime?limit=50&page=\(page)").data.map(\.type) }
    for (parameter, label) in [("tv", "TV"), ("tv_special", "TV Special"), ("movie", "Movie"), ("cm", "CM")] {
      let page = try await jikan.page("/v4/top/anime?type=\(parameter)")
      #expect(!page.data.isEmpty && page.data.allSatisfy { $0.type == label })
      #expect(page.pagination.items.total == labels.count { $0 == label })
    }
  }

  @Test("The filters keep and order as documented")
  func filters() async throws {
    for (filter, status) in [("airing", "Currently Airing"), ("upcoming", "Not yet aired")] {
      let rows = try await jikan.page("/v1/top/anime?filter=\(filter)&limit=50").data
      #expect(!rows.isEmpty && rows.allSatisfy { $0.status == status && $0.airing == (filter == "airing") })
      #expect(rows.map(\.members) == rows.map(\.members).sorted(by: >))
    }
    let popular = try await jikan.page("/v1/top/anime?filter=bypopularity&limit=50")
    #expect(popular.pagination.items.total == 4000)
    #expect(popular.data.map(\.members) == popular.data.map(\.members).sorted(by: >))
    let favorites = try await jikan.page("/v1/top/anime?filter=favorite&limit=50").data.map(\.favorites)
    #expect(favorites == favorites.sorted(by: >) && Set(favorites).count > 10)
    let manga = try await jikan.page("/v1/top/manga?filter=publishing&type=lightnovel&limit=50").data
    #expect(!manga.isEmpty && manga.allSatisfy { $0.publishing == true && $0.type == "Light Novel" })
  }

  @Test(
    "Bad parameters are 400 with the messages as an object",
    arguments: [
      ("/v4/top/anime?limit=26", "limit"), ("/v1/top/anime?limit=51", "limit"), ("/v4/top/anime?limit=0", "limit"),
      ("/v4/top/manga?page=0", "page"), ("/v4/top/manga?page=-1", "page"), ("/v4/top/manga?page=x", "page"),
      ("/v4/top/anime?type=novel", "type"), ("/v4/top/manga?type=tv", "type"), ("/v4/top/manga?type=", "type"),
      ("/v4/top/anime?filter=publishing", "filter"), ("/v4/top/manga?filter=airing", "filter"),
      ("/v4/anime?limit=26", "limit"), ("/v1/manga?limit=51", "limit"), ("/v4/anime?page=0", "page"),
      ("/v4/anime?order_by=name", "order_by"), ("/v4/anime?order_by=mal_id&sort=up", "sort"),
      ("/v4/seasons/now?filter=novel", "filter"), ("/v4/schedules?filter=today", "filter"),
      ("/v4/genres/anime?filter=all", "filter"),
    ])
  func badParameters(target: String, parameter: String) async throws {
    let answer = await jikan.get(target)
    let begin = #"{"status":400,"type":"ValidationException","messages":{"\#(parameter)":[""#
    #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).hasPrefix(begin))
  }

  @Test("Unknown routes are 404, other methods 405, and the root answers")
  func routes() async {
    let past = #"{"status":404,"type":"BadResponseException","message":"Resource does not exist","error":"404 on "#
    #expect(await jikan.text("/v4/top/anime?page=161").hasPrefix(past))
    for target in ["/v4/top/people", "/v3/top/anime", "/v4/anime/x", "/v4/anime/-1", "/v4/animes"] {
      let answer = await jikan.get(target)
      #expect(answer.status == 404, "\(target)")
      let body = #"{"status":404,"type":"HttpException","message":"Not Found","error":null}"#
      #expect(String(decoding: answer.body, as: UTF8.self) == body)
    }
    #expect(await jikan.answer(SimulatedRequest(method: "POST", path: "/v4/top/anime")).status == 405)
    #expect(await jikan.get("/").status == 200)
  }
}

@Suite("Generated Jikan: rows", .computesLong)
struct GeneratedJikanRowTests {
  @Test("Every row has exactly the documented members with their types", arguments: ["anime", "manga"])
  func strictRows(kind: String) async throws {
    let jikan = GeneratedJikan(settings(600))
    let members = try #require(ServedRow.members[kind]).split(separator: " ").map { $0.split(separator: ":") }
    let types = Dictionary(uniqueKeysWithValues: members.map { (String($0[0]), $0[1].replacing("?", with: "0")) })
    var bytes = 0
    for page in 1...12 {
      let body = await jikan.get("/v1/top/\(kind)?limit=50&page=\(page)").body
      bytes += body.count
      #expect(body.allSatisfy { (0x20..<0x7F).contains($0) })
      let rows = try #require(try JSONValue(body)["data"]).elements
      #expect(rows.count == 50)
      for row in rows {
        guard case .object(let found) = row else { Issue.record("no object"); return }
        #expect(Set(found.keys) == Set(types.keys))
        for (name, value) in found { #expect(types[name]?.contains(value.type) == true, "\(name): \(value)") }
      }
    }
    #expect((3000...4500).contains(bytes / 600))
  }

  @Test("The oddities of real rows occur")
  func oddities() async throws {
    let jikan = GeneratedJikan(settings(5000))
    var rows: [ServedRow] = []
    for page in 1...100 { rows += try await jikan.page("/v1/top/anime?limit=50&page=\(page)").data }
    let ranks = rows.map(\.rank)
    #expect(ranks.contains(nil) && ranks.contains(0) && Set(ranks).count < 4000)
    #expect(zip(rows.indices, ranks).contains { $1 != nil && $1 != $0 + 1 })
    #expect(rows.contains { $0.titleEnglish == nil } && rows.contains { $0.titleJapanese == nil })
    #expect(rows.contains { !$0.approved } && rows.contains { $0.type == nil })
    let synopses = rows.compactMap(\.synopsis)
    for part in ["\n\n", "&quot;", "\u{200B}", "\u{20BB7}", "\u{1F408}"] {
      #expect(synopses.contains { $0.unicodeScalars.contains(part.unicodeScalars) }, "\(part.debugDescription)")
    }
    let body = await jikan.text("/v1/top/anime?limit=50")
    #expect(body.contains(#"https:\/\/"#) && !body.contains("https://"))
    let all = await jikan.text("/v4/top/anime?page=1") + jikan.text("/v4/top/anime?page=20")
    #expect(all.contains(#"\u6"#))
    #expect(rows.contains { $0.score.map { $0 == $0.rounded() } ?? false })
  }

  @Test("A revision changes the text of one row in a hundred and every counter, and no number")
  func revision() async throws {
    let before = GeneratedJikan(settings(2000) { $0.revision = 3 })
    let after = GeneratedJikan(settings(2000) { $0.revision = 4 })
    var (changed, sameMembers, sameFavorites) = (0, 0, 0)
    for page in 1...40 {
      let old = try await before.page("/v1/top/anime?limit=50&page=\(page)").data
      let new = try await after.page("/v1/top/anime?limit=50&page=\(page)").data
      #expect(old.map(\.malId) == new.map(\.malId))
      #expect(old.map(\.score) == new.map(\.score))
      for (old, new) in zip(old, new) {
        changed += old.title != new.title || old.synopsis != new.synopsis ? 1 : 0
        sameMembers += old.members == new.members ? 1 : 0
        sameFavorites += old.favorites == new.favorites ? 1 : 0
      }
    }
    #expect((8...40).contains(changed))
    #expect(sameMembers == 0 && sameFavorites == 0)
  }
}
