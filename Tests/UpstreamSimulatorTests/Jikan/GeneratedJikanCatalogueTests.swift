import Foundation
import Testing
import UpstreamSimulator

@Suite("Generated Jikan: catalogues", .computesLong)
struct GeneratedJikanCatalogueTests {
  @Test("Pages of any size are pieces of one list: a page begins at (page - 1) × limit")
  func pieces() async throws {
    let jikan = GeneratedJikan(settings(300) { $0.repeats = 0.02 })
    let whole = await jikan.numbers("/v1/manga", limit: 50).flatMap(\.self)
    for (page, limit) in [(7, 29), (50, 1), (8, 33), (3, 49), (10, 31), (12, 26)] {
      let rows = try await jikan.page("/v1/manga?page=\(page)&limit=\(limit)")
      let start = (page - 1) * limit
      #expect(rows.data.map(\.malId) == Array(whole[start..<min(whole.count, start + limit)]))
      #expect(rows.pagination.items.total == whole.count && rows.pagination.items.perPage == limit)
      #expect(rows.pagination.lastVisiblePage == (whole.count + limit - 1) / limit)
    }
    let reversed = await jikan.numbers("/v1/manga", limit: 50, parameters: "&order_by=mal_id&sort=desc")
    #expect(reversed.flatMap(\.self) == whole.reversed() && Set(whole).count < whole.count)
  }

  @Test("Unapproved entries are hidden until they are requested")
  func unapproved() async throws {
    let jikan = GeneratedJikan(settings(4000))
    let all = await jikan.numbers("/v1/anime", limit: 50, parameters: "&unapproved=true").flatMap(\.self)
    let approved = await jikan.numbers("/v1/anime", limit: 50).flatMap(\.self)
    #expect(all.count == 4000 && Set(approved).isStrictSubset(of: all))
    for number in Set(all).subtracting(approved) {
      #expect(await jikan.text("/v1/anime/\(number)").contains(#""approved":false"#))
    }
  }

  @Test("Beyond the page cap pages are refused, whatever the list holds")
  func pageCap() async throws {
    let jikan = GeneratedJikan(settings(60_000))
    let answer = await jikan.get("/v1/manga?page=1001&limit=50&order_by=mal_id&sort=asc")
    let message = #""messages":{"page":["The page must not be greater than 1000."]}"#
    #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains(message))
    let last = try await jikan.page("/v1/manga?page=1000&limit=50&unapproved=true")
    #expect(last.data.count == 50 && last.pagination.hasNextPage && last.pagination.lastVisiblePage == 1200)
    #expect(await jikan.get("/v4/manga?page=1001").status == 200)
    #expect(await jikan.get("/v1/top/manga?page=1001").status == 200)
    let strict = GeneratedJikan(settings(1000) { $0.pageCap = 3 })
    #expect(await strict.get("/v4/anime?page=3").status == 200)
    #expect(await strict.get("/v4/anime?page=4").status == 400)
  }
}

@Suite("Generated Jikan: seasons, schedules, genres", .computesLong)
struct GeneratedJikanOtherListTests {
  private let jikan = GeneratedJikan(settings(8000))

  private func all(_ path: String, parameters: String = "") async throws -> [ServedRow] {
    var rows: [ServedRow] = []
    for page in 1...400 {
      let answer = await jikan.get("\(path)?limit=25&page=\(page)&unapproved=true\(parameters)")
      guard answer.status == 200 else { break }
      rows += try decoded(ServedPage.self, from: answer.body).data
    }
    return rows
  }

  @Test("A season holds what began in it, and all of that")
  func seasons() async throws {
    let top = try await all("/v4/top/anime")
    for (year, name, months) in [(2020, "winter", 1...3), (2019, "fall", 10...12), (2025, "summer", 7...9)] {
      let rows = try await all("/v4/seasons/\(year)/\(name)")
      let expected = top.filter { row in
        row.aired?.prop.from.year == year && row.aired?.prop.from.month.map(months.contains) == true
      }
      #expect(!rows.isEmpty && Set(rows.map(\.malId)) == Set(expected.map(\.malId)))
      #expect(rows.map(\.members) == rows.map(\.members).sorted(by: >))
      let films = try await all("/v4/seasons/\(year)/\(name)", parameters: "&filter=movie")
      #expect(Set(films.map(\.malId)) == Set(expected.filter { $0.type == "Movie" }.map(\.malId)))
    }
    let now = try await all("/v4/seasons/now")
    let fall = try await all("/v4/seasons/2025/fall")
    #expect(now.map(\.malId) == fall.map(\.malId) && now.contains { $0.airing == true })
    let upcoming = try await all("/v4/seasons/upcoming")
    #expect(Set(upcoming.map(\.malId)) == Set(top.filter { $0.status == "Not yet aired" }.map(\.malId)))
    for target in ["/v4/seasons/2020/autumn", "/v4/seasons/20/fall", "/v4/seasons/2020", "/v4/seasons/x/fall"] {
      #expect(await jikan.get(target).status == 404, "\(target)")
    }
    #expect(try await all("/v4/seasons/1066/fall").isEmpty)
  }

  @Test("The schedule is the running television, by the day")
  func schedules() async throws {
    let week = try await all("/v4/schedules")
    let running = try await all("/v4/top/anime", parameters: "&filter=airing&type=tv")
    #expect(Set(week.map(\.malId)) == Set(running.map(\.malId)) && !week.isEmpty)
    #expect(week.map(\.members) == week.map(\.members).sorted())
    var days: [Int] = []
    for day in ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] {
      let rows = try await all("/v4/schedules", parameters: "&filter=\(day)")
      #expect(rows.allSatisfy { $0.broadcast?.day?.lowercased() == day + "s" })
      let ofThePath = try await all("/v4/schedules/\(day)")
      #expect(rows.map(\.malId) == ofThePath.map(\.malId))
      days += rows.map(\.malId)
    }
    days += try await all("/v4/schedules", parameters: "&filter=unknown").map(\.malId)
    #expect(days.sorted() == week.map(\.malId).sorted())
    let other = try await all("/v4/schedules", parameters: "&filter=other")
    #expect(other.isEmpty)
    #expect(await jikan.get("/v4/schedules/today").status == 404)
  }

  @Test("Genres come without pages, and some numbers in two tables")
  func genres() async throws {
    struct Genre: Decodable {
      var malId: Int
      var name: String
      var url: URL
      var count: Int
    }
    struct Genres: Decodable { var data: [Genre] }
    for kind in ["anime", "manga"] {
      var tables: [[Int]] = []
      for filter in ["genres", "explicit_genres", "themes", "demographics"] {
        let body = await jikan.get("/v4/genres/\(kind)?filter=\(filter)").body
        tables.append(try decoded(Genres.self, from: body).data.map(\.malId))
      }
      #expect(tables.allSatisfy { !$0.isEmpty && Set($0).count == $0.count })
      let whole = await jikan.get("/v1/genres/\(kind)")
      #expect(try decoded(Genres.self, from: whole.body).data.map(\.malId) == tables.flatMap(\.self))
      #expect(Set(tables.joined()).count < tables.joined().count)
      #expect(!String(decoding: whole.body, as: UTF8.self).contains("pagination"))
      let rows = String(decoding: await jikan.get("/v1/top/\(kind)?limit=50").body, as: UTF8.self)
      let named = rows.matches(of: #/{"mal_id":(\d+),"type":"(?:anime|manga)","name":"[^"]*","url":"[^"]*genre/#)
      #expect(!named.isEmpty && Set(named.compactMap { Int($0.1) }).isSubset(of: tables.joined()))
    }
    #expect(await jikan.get("/v4/genres/people").status == 404)
  }
}
