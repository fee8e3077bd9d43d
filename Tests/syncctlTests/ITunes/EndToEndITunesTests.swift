import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct ITunesCommands {
    private static let term = "周杰倫"
    private static let closedPort = "http://127.0.0.1:9"

    @Test func aSearchIsStoredSortedAndPaged() async throws {
      try await Mirror.with(GeneratedITunes()) { mirror, server in
        let search = ["itunes", "search", Self.term, "--country", "tw", "--entity", "song"]
        let all = try await mirror.rows(search)
        #expect(all.count > 20)
        #expect(server.history.count == 1 && server.history.records.first?.path == "/search")
        #expect(try await mirror.sql("SELECT count(*) FROM itunes.search_item") == "\(all.count)")
        #expect(try await mirror.sql("SELECT DISTINCT country FROM itunes.item") == "tw")
        let relevant = try await mirror.rows(search + ["--sort", "relevance"])
        #expect(relevant.map { $0["position"]?.int } == (1...all.count).map { Optional($0) })

        let pages = (all.count + 9) / 10
        var paged: [JSONValue] = []
        for page in 1...pages {
          let result = try await mirror.syncctl(search + ["--page", "\(page)", "--format", "json"])
          paged += try #require(try JSONValue(result.standardOutput).array)
          #expect(result.standardError.contains("page \(page) of \(pages), \(all.count) results"))
          #expect(result.standardError.contains("as the service answered "))
          #expect(result.standardError.contains("\nnext: syncctl itunes search ") == (page < pages))
        }
        #expect(paged == all)

        let requests = server.history.count
        for first in ["--page-size 9 --sort release", "--offline --page-size 9 --limit 40"] {
          var walked: [JSONValue] = []
          var next: String? = "syncctl itunes search \(Self.term) --country tw --entity song --format json \(first)"
          while let command = next, walked.count < 500 {
            let page = try await mirror.shell(command.replacing(/^syncctl/, with: #""$0""#))
            #expect(page.end == .exit(0), "\(page.standardError)")
            walked += try #require(try JSONValue(page.standardOutput).array)
            next = page.standardError.firstMatch(of: #/(?m)^next: (.*)$/#).map { String($0.1) }
          }
          #expect(walked.count == (first.contains("offline") ? 40 : all.count))
          #expect(Set(walked.map { $0["id"]?.int }).count == walked.count)
        }
        #expect(server.history.count == requests + 1)
        try await mirror.succeed(search + ["--page", "2", "--refresh"])
        #expect(server.history.count == requests + 2)

        for wrong in [["--page", "2", "--after", "cWyJ4Il0"], ["--after", "5"], ["--refresh", "--offline"]] {
          try await mirror.syncctl(["itunes", "search", "x"] + wrong).expectFailure(64, naming: wrong[0])
        }
        try await mirror.syncctl(search + ["--page", "99"])
          .expectFailure(1, naming: "no page 99", "\(all.count) results")
        let table = try await mirror.syncctl(search + ["--page-size", "5"])
        #expect(table.standardOutput.split(separator: "\n").count == 6, "\(table.standardOutput)")
        let offline = mirror.with(iTunes: Self.closedPort)
        let stored = try await offline.succeed(search + ["--offline", "--format", "ndjson"])
        #expect(stored.standardError.contains("from the mirror") && !stored.standardOutput.isEmpty)
        try await offline.syncctl("itunes", "search", "zzzz", "--country", "tw", "--offline")
          .expectFailure(1, naming: "nothing found for zzzz in the mirror of tw")
      }
    }

    @Test func eachFailureSaysWhatItIs() async throws {
      let upstream = GeneratedITunes()
      let failing = ScriptedUpstream { request in
        request.query.contains("term=down") ? SimulatedAnswer(status: 503) : await upstream.answer(request)
      }
      try await Mirror.with(failing) { mirror, server in
        try await mirror.syncctl("itunes", "search", "zzzz", "--country", "tw")
          .expectFailure(1, naming: "nothing found for zzzz in tw")
        let none = try await mirror.syncctl("itunes", "search", "zzzz", "--format", "json")
        #expect(none.end == .exit(1) && none.standardOutput == "[]\n")
        let before = server.history.count
        for wrong in [["--country", "usa"], ["--entity", "sog"], ["--media", "vinyl"], ["--limit", "201"]] {
          let result = try await mirror.syncctl(["itunes", "search", "x"] + wrong)
          result.expectFailure(64, naming: String(wrong[0].dropFirst(2)))
        }
        #expect(server.history.count == before)
        try await mirror.syncctl("itunes", "search", "down")
          .expectFailure(69, naming: "answered 503", "server error 503", "--offline")
        #expect(server.history.count == before + 1)
        upstream.settings.fault = .html
        try await mirror.syncctl("itunes", "search", "x").expectFailure(69, naming: "decoding failed", "HTML")
        upstream.settings.fault = .errorMessage
        try await mirror.syncctl("itunes", "search", "x").expectFailure(69, naming: "answered 200 with an error")
        try await mirror.with(iTunes: Self.closedPort).syncctl("itunes", "search", "x")
          .expectFailure(69, naming: "cannot connect", "--offline")
        try await mirror.with(iTunes: "ftp://itunes.example").syncctl("itunes", "search", "x")
          .expectFailure(78, naming: "URL")
      }
    }

    @Test("an answer that lacks a member is stored with a warning; a configured search is held until it is confirmed")
    func aMemberThatMostItemsLack() async throws {
      let upstream = GeneratedITunes()
      let renames = Changing(false)
      let renaming = ScriptedUpstream { request in
        var answer = await upstream.answer(request)
        if renames.value {
          let text = String(decoding: answer.body, as: UTF8.self)
          answer.body = Array(text.replacing(#""trackName""#, with: #""trackTitle""#).utf8)
        }
        return answer
      }
      try await Mirror.with(renaming) { fresh, _ in
        let entry = "name: mine, term: \(Self.term), country: tw, entity: song"
        let file = try fresh.home.write(
          "sources: { itunes: { searches: [ { \(entry) } ] } }", to: "search.yaml")
        let mirror = fresh.with(["SYNCCTL_CONFIG": file])
        let search = ["itunes", "search", Self.term, "--country", "tw", "--entity", "song"]
        let named = "SELECT count(track_name) FROM itunes.item WHERE class = 'track'"
        let before = try await mirror.rows(search)
        try await mirror.succeed("run", "--source", "itunes")
        #expect(before.count > 20)
        #expect(try await mirror.sql(named) != "0")

        renames.value = true
        let held = try await mirror.syncctl("run", "--source", "itunes")
        held.expectFailure(86, naming: "items lack track_name", "syncctl confirm ", isQuiet: false)
        #expect(try await mirror.sql(named) != "0")
        let dry = try await mirror.syncctl("run", "--source", "itunes", "--dry-run")
        dry.expectFailure(86, naming: "items lack track_name", isQuiet: false)

        let answered = try await mirror.succeed(search + ["--format", "json"])
        #expect(try JSONValue(answered.standardOutput).array?.count == before.count)
        #expect(answered.standardError.contains("items lack track_name"), "\(answered.standardError)")
        #expect(answered.standardError.contains("they are stored"), "\(answered.standardError)")
        #expect(try await mirror.sql(named) == "0")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.run WHERE warning LIKE '%lack track_name%'") == "1")

        let id = try await mirror.sql("SELECT left(id::text, 8) FROM sync.run WHERE guarded")
        try await mirror.succeed("confirm", id)
      }
    }

    @Test func aThrottledSearchIsNotAnEmptyOne() async throws {
      let upstream = GeneratedITunes()
      try await Mirror.with(upstream) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_ITUNES_RATE_LIMITS": "1000/1h"])
        let rows = try await mirror.itunesRows("search", Self.term)
        #expect(try await mirror.sql("SELECT given > 0 FROM sync.rate_budget") == "t", "a search takes a permit")
        let seen = server.history.count
        upstream.settings.fault = .forbidden
        try await mirror.syncctl("itunes", "search", Self.term).expectFailure(75, naming: "throttled", "403")
        #expect(server.history.count == seen + 1)
        #expect(try await mirror.sql("SELECT count(*) FROM itunes.search_result") == "\(rows.count)")
        #expect(try await !mirror.itunesRows("search", Self.term, "--offline").isEmpty)
        #expect(server.history.count == seen + 1)
      }
    }

    @Test func lookUpsOfValidAndInvalidIds() async throws {
      let upstream = GeneratedITunes()
      try await Mirror.with(upstream) { mirror, server in
        let songs = try await mirror.itunesRows("search", Self.term, "--entity", "song", "--country", "tw")
        let song = try #require(songs.first { $0["collection_id"]?.int != nil })
        let id = try #require(song["id"]?.int)
        let album = try #require(song["collection_id"]?.int)

        let shown = try await mirror.syncctl("itunes", "lookup", "\(id)", "999999999999", "--country", "tw")
        #expect(shown.end == .exit(1))
        #expect(shown.errorLines.count == 1, "\(shown.standardError)")
        #expect(shown.errorLines.joined().contains("999999999999: not found in tw"))
        let title = try #require(song["title"]?.text)
        for words in [title, "\(id) in tw", "released", "artist page", "album page"] {
          #expect(shown.standardOutput.contains(words), "\(words): \(shown.standardOutput)")
        }
        let alone = try await mirror.syncctl("itunes", "lookup", "999999999999", "--country", "tw")
        alone.expectFailure(1, naming: "not found")
        try await mirror.syncctl("itunes", "lookup", "x9").expectFailure(64, naming: "x9")

        let family = try await mirror.itunesRows("lookup", "\(album)", "--entity", "song", "--country", "tw")
        #expect(family.first?["class"]?.text == "collection")
        #expect(family.dropFirst().allSatisfy { $0["collection_id"]?.int == album && $0["kind"]?.text == "song" })
        #expect(family.contains { $0["id"]?.int == id })

        let seen = server.history.count
        let stored = try await mirror.itunesRows("lookup", "\(id)", "--offline", "--country", "tw")
        #expect(stored.count == 1 && server.history.count == seen)
        let history = try await mirror.itunesRows("history", "--limit", "100")
        #expect(history.first?["action"]?.text == "show" && history.first?["id"]?.int == id)
        #expect(history.last?["action"]?.text == "search" && history.last?["term"]?.text == Self.term)
        #expect(history.count(where: { $0["id"]?.int == 999_999_999_999 && $0["results"]?.int == 0 }) == 2)

        let added = try await mirror.asOwner.syncctl("favorites", "add", "itunes", "track", "\(id)")
        #expect(added.standardOutput == "added to favorites: \(title)\n", "\(added.standardError)")
        #expect(try await mirror.asOwner.rows("favorites", "list").first?["title"]?.text == title)
        #expect(try await mirror.asOwner.syncctl("favorites", "remove", "itunes", "track", "\(id)").end == .exit(0))
        upstream.settings.removed = [id]
        let gone = try await mirror.syncctl("itunes", "lookup", "\(id)", "\(album)", "--country", "tw")
        #expect(gone.end == .exit(1))
        #expect(gone.errorLines.joined().contains("\(id): not found in tw; the mirror has it"))
      }
    }

    @Test func chartsAndTitlesBeforeTheFirstRun() async throws {
      let mirror = try await Mirror.make()
      for words in [["runs", "show"], ["anime", "naruto"], ["anime", "search", "naruto"], ["manga", "show", "1"]] {
        try await mirror.syncctl(words).expectFailure(1, naming: "yet", "syncctl run --source jikan")
      }
      let none = try await mirror.syncctl("rankings", "itunes", "--chart", "songs")
      none.expectFailure(1, naming: "no chart has been mirrored yet", "syncctl run --source itunes")
      _ = try await SimulatorServer.withServer(GeneratedITunes()) { server in
        try await mirror.with(upstream: server.baseURL).follow(none, ["run --source itunes": 0])
      }
      #expect(try await mirror.rows("rankings", "itunes", "--chart", "songs", "--limit", "1").count == 1)
      try await mirror.syncctl("rankings", "itunes", "--since", "7d").expectFailure(64, naming: "--since")
      try await mirror.syncctl("rankings", "movers", "itunes", "--after", "5").expectFailure(64, naming: "--after")
    }

    @Test func aChartOnThreeDays() async throws {
      let upstream = GeneratedITunes()
      upstream.settings.chartRepeats = 1
      try await Mirror.with(upstream) { mirror, server in
        var days: [(published: String, ids: [Int])] = []
        for day in 0...2 {
          upstream.settings.day = day
          try await mirror.succeed("run", "--source", "itunes", "--stream", "chart:us-songs")
          let rows = try await mirror.chartRows("--limit", "100")
          // The upstream's chart contains one item twice.
          #expect(rows.count > 30 && rows.map { $0["position"]?.int } == (1...rows.count).map { Optional($0) })
          let ids = rows.compactMap { $0["id"]?.int }
          #expect(Set(ids).count == rows.count)
          let published = try await mirror.sql(
            """
            SELECT to_char(max(published_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
            FROM itunes.chart_publication
            """)
          days.append((published, ids))
        }
        for day in days {
          let rows = try await mirror.chartRows("--limit", "100", "--as-of", day.published)
          #expect(rows.compactMap { $0["id"]?.int } == day.ids)
        }
        let next = try await mirror.chartRows("--limit", "5", "--after", "\(days[2].ids[9])")
        #expect(next.compactMap { $0["id"]?.int } == Array(days[2].ids[10..<15]))
        let named = try await mirror.rows("rankings", "itunes", "--chart", "us-songs", "--limit", "100")
        #expect(named.compactMap { $0["id"]?.int } == days[2].ids)
        try await mirror.syncctl("rankings", "itunes", "--chart", "us-songs", "--country", "tw")
          .expectFailure(64, naming: "the chart us-songs is us most-played songs")
        let moved = zip(days[0].ids, days[2].ids).first { $0 != $1 }?.0
        let movers = try await mirror.rows(
          "rankings", "movers", "itunes", "--since", days[0].published, "--limit", "300")
        #expect(movers.contains { $0["id"]?.int == moved && $0["previous_position"]?.int != nil })
        let entry = try await mirror.rows("rankings", "history", "itunes", "\(days[0].ids[0])")
        #expect(entry.first?["position"]?.int == 1)
        for words in [["itunes", "--as-of", "2001-01-01"], ["movers", "itunes", "--since", "2001-01-01"]] {
          let early = try await mirror.syncctl(["rankings"] + words + ["--format", "json"])
          #expect(early.end == .exit(0) && early.standardError.hasPrefix("the history begins at 20"))
        }
        try await mirror.syncctl("rankings", "itunes", "--chart", "albums")
          .expectFailure(64, naming: "mirrored: us most-played songs")
      }
    }
  }
}

extension Mirror {
  fileprivate func with(iTunes baseURL: String) -> Mirror {
    with(["SYNCCTL_ITUNES_BASE_URL": baseURL, "SYNCCTL_ITUNES_CHARTS_BASE_URL": baseURL])
  }

  fileprivate func itunesRows(_ arguments: String...) async throws -> [JSONValue] {
    try await rows(["itunes"] + arguments)
  }

  fileprivate func chartRows(_ arguments: String...) async throws -> [JSONValue] {
    try await rows(["rankings", "itunes", "--chart", "songs"] + arguments)
  }
}
