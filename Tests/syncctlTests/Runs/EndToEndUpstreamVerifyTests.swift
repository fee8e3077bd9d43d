import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// `syncctl verify --upstream` and `--sample` find what the upstream has and the mirror has not.
  @Suite struct UpstreamVerify {
    @Test("a list: each changed value, an item more, a counter; nothing is written, and after a run nothing differs")
    func list() async throws {
      let fresh = try await Mirror.make()
      let list = Changing(try HandmadeList.numbered(1...60))
      try await SimulatorServer.withServer(ScriptedUpstream { list.value.answer($0) }) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        try await mirror.runTop()
        for option in [["--upstream"], ["--sample", "2"]] {
          let same = try await mirror.verify(option, exit: 0)
          #expect(same.differences.isEmpty && same.requests == (option.count == 1 ? 3 : 2))
        }
        list.value.items[3] = list.value.items[3].replacing("1004", with: "2004")
        list.value.items[4] = try HandmadeList.item(5, title: "Another \u{1B}[31m title")
        list.value.items[5] = try HandmadeList.item(6, title: "Title 6", extra: #", "themes": [{"mal_id": 1}]"#)
        list.value.items.append(try HandmadeList.item(61, title: "New"))
        let before = try await mirror.contents()
        for option in ["--upstream", "--sample=100%"] {
          let found = try await mirror.verify([option], exit: 1).differences
          #expect(found.allSatisfy { $0["key"]?["kind"]?.text == "anime" })
          let named = found.map {
            "\($0["table"]?.text ?? "") \($0["key"]?["mal_id"]?.int ?? 0) \($0["column"]?.text ?? "-")"
          }
          let expected: Set = [
            "jikan.media_counters 4 members", "jikan.media 5 title", "jikan.media 5 title_japanese",
            "jikan.media 6 raw",
            "jikan.media 61 -",
          ]
          #expect(Set(named) == expected && named.count == expected.count, "\(named)")
          let values = Dictionary(zip(named, found), uniquingKeysWith: { first, _ in first })
          let counter = values["jikan.media_counters 4 members"]
          #expect(counter?["stored"]?.int == 1004 && counter?["expected"]?.int == 2004)
          #expect(values["jikan.media 6 raw"]?["expected"] == .list([.string("themes")]))
          #expect(values["jikan.media 61 -"]?["stored"] == .null)
          #expect(values["jikan.media 61 -"]?["expected"]?["title"]?.text == "New")
        }
        #expect(try await mirror.contents() == before)
        #expect(
          try await mirror.sql(
            "SELECT mode, (checked->>'requests')::int > 0 AS asked, differences > 0 FROM sync.verification ORDER BY id")
            == "upstream|t|f\nsample|t|f\nupstream|t|t\nsample|t|t")
        try await mirror.runTop()
        #expect(try await mirror.verify(["--upstream"], exit: 0).differences.isEmpty)
      }
    }

    @Test("a catalogue: removed items should not be there, and a page that has moved is compared item by item")
    func catalogue() async throws {
      let fresh = try await Mirror.make()
      var settings = JikanSettings(items: 240)
      settings.repeats = 0
      let jikan = DriftingJikan(settings)
      try await SimulatorServer.withServer(jikan) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        _ = try await mirror.syncctl("run", "--stream", "anime-catalog")
        let gone = Array(jikan.ids(.anime)[40..<43])
        jikan.remove(.anime, gone)
        for option in ["--upstream", "--sample=100%"] {
          let found = try await mirror.verify([option], exit: 1)
          #expect(Set(found.differences.compactMap { $0["key"]?["mal_id"]?.int }) == Set(gone), "\(option)")
          #expect(found.differences.allSatisfy { $0["stored"]?["title"]?.text != nil && $0["expected"] == .null })
        }
        let text = try await mirror.syncctl("verify", "--stream", "anime-catalog", "--upstream")
        #expect(text.standardOutput.contains("mal_id=\(gone[0]): the row should not be there\n"))
        // It is for the guard of a run to say that so many may vanish.
        let repaired = try await mirror.verify(["--upstream", "--repair"], exit: 1)
        #expect(repaired.differences.count == 3)
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.media WHERE vanished_at IS NOT NULL") == "3")
        #expect(try await mirror.verify(["--upstream"], exit: 0).differences.isEmpty)
      }
    }

    @Test("a sample requests as many pages as it says, without validators; its repair is for the next run")
    func sample() async throws {
      let fresh = try await Mirror.make()
      let jikan = GeneratedJikan.plain(150)
      try await SimulatorServer.withServer(ConditionalUpstream(jikan)) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        try await mirror.runTop()
        let before = server.history.count
        #expect(try await mirror.verify(["--sample", "3"], exit: 0).requests == 3)
        #expect(server.history.records[before...].map(\.status) == [200, 200, 200])
        #expect(Set(server.pages[before...]).count == 3)
        let ids = try await mirror.sql("SELECT mal_id FROM jikan.media ORDER BY 1").split(separator: "\n").compactMap {
          Int($0)
        }
        jikan.edits.titles = Set(ids.prefix(2))
        let found = try await mirror.verify(["--sample=100%", "--repair"], exit: 1)
        #expect(Set(found.differences.compactMap { $0["key"]?["mal_id"]?.int }) == Set(ids.prefix(2)))
        #expect(found.standardError.contains("noted for the next run: 2"), "\(found.standardError)")
        try await mirror.runTop()
        #expect(try await mirror.verify(["--upstream"], exit: 0).differences.isEmpty)
      }
    }

    @Test("what differs from the upstream only is repaired by --upstream --repair in one walk")
    func repair() async throws {
      let fresh = try await Mirror.make()
      let jikan = GeneratedJikan.plain(150)
      try await SimulatorServer.withServer(ConditionalUpstream(jikan)) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        try await mirror.runTop()
        jikan.edits.members = 1
        _ = try await mirror.sql(
          "UPDATE jikan.media SET title = 'x' WHERE mal_id = (SELECT min(mal_id) FROM jikan.media)")
        let before = server.history.count
        let found = try await mirror.verify(["--upstream", "--repair"], exit: 1)
        #expect(found.differences.count == 151 && server.history.count - before == found.requests)
        #expect(try await mirror.verify(["--upstream"], exit: 0).differences.isEmpty)
      }
    }

    @Test("a verification that could not be finished does not say equal, and is not kept as one of the upstream")
    func unfinished() async throws {
      let fresh = try await Mirror.make()
      let list = try HandmadeList.numbered(1...60)
      let failing = Changing(false)
      let upstream = ScriptedUpstream { request in
        failing.value && request.page == 2 ? .json("{}", status: 500) : list.answer(request)
      }
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        try await mirror.runTop()
        failing.value = true
        for option in ["--upstream", "--sample=100%"] {
          let found = try await mirror.verify([option], exit: 1)
          #expect(found.differences.isEmpty && found.standardError.contains("not read completely"))
        }
        let spent = mirror.with(["SYNCCTL_JIKAN_RATE_LIMITS": "1/1d"])
        _ = try await spent.verify(["--upstream"], exit: 75)
        #expect(try await mirror.sql("SELECT DISTINCT mode FROM sync.verification") == "local")
        try await mirror.syncctl("verify", "--sample", "1", "--upstream").expectFailure(
          64, naming: "exclude each other")
        try await mirror.syncctl("verify", "--sample", "0%").expectFailure(64, naming: "5%")
        try await mirror.syncctl("verify", "--source", "itunes", "--upstream")
          .expectFailure(1, naming: "nothing that is mirrored", isQuiet: false)
      }
    }

    @Test("documents: one that changed, and one whose address does not have it any more")
    func documents() async throws {
      let fresh = try await Mirror.make()
      let pokeAPI = try HandmadePokeAPI(pokemon: 30)
      let changed = Changing(false)
      let upstream = ScriptedUpstream { request in
        guard changed.value else { return await pokeAPI.answer(request) }
        if request.path.contains("/type/10") { return .json("{}", status: 404) }
        let answer = await pokeAPI.answer(request)
        guard request.path.contains("/type/11") else { return answer }
        return .json(String(decoding: answer.body, as: UTF8.self).replacing("water", with: "sea"))
      }
      try await SimulatorServer.withServer(upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL)
        #expect(try await mirror.pokeAPI().isComplete)
        let before = server.history.count
        let same = try await mirror.verify(["--sample", "20"], of: "pokeapi", exit: 0)
        #expect(same.differences.isEmpty && same.requests == 20 && server.history.count - before == 20)
        changed.value = true
        let found = try await mirror.verify(["--sample=100%", "--stream", "type"], of: "pokeapi", exit: 1)
        let named = found.differences.map { "\($0["key"]?["id"]?.int ?? 0) \($0["column"]?.text ?? "-")" }
        #expect(Set(named).isSuperset(of: ["10 -", "11 name"]), "\(named)")
        #expect(!named.contains { $0.hasPrefix("1 ") })
        let upstream = try await mirror.verify(["--upstream", "--stream", "type"], of: "pokeapi", exit: 1)
        #expect(upstream.differences.contains { $0["key"]?["id"]?.int == 11 })
      }
    }

    @Test("searches and charts; a search that only a person has made is not requested again")
    func iTunes() async throws {
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedITunes(ITunesSettings())) { server in
        let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_ITUNES_CHARTS_BASE_URL": server.baseURL])
        _ = try await mirror.syncctl("itunes", "search", "night")
        let single = try await mirror.syncctl("verify", "--source", "itunes", "--sample", "1")
        single.expectFailure(1, naming: "nothing that is mirrored", isQuiet: false)
        #expect(single.standardError.contains("1 stream is not configured"))
        #expect(try await mirror.syncctl("run", "--source", "itunes").end == .exit(0))
        for option in ["--upstream", "--sample=100%"] {
          let same = try await mirror.verify([option], of: "itunes", exit: 0)
          #expect(same.differences.isEmpty && same.requests > 0)
        }
        // A document that has another hash, as if the upstream had another one since.
        _ = try await mirror.sql(
          """
          UPDATE itunes.chart_item SET raw = raw || '{"name": "x"}', content_hash = '\\x00' || substr(content_hash, 2)
          WHERE (country, type, id) = (SELECT country, type, id FROM itunes.chart_item LIMIT 1)
          """)
        let found = try await mirror.verify(["--sample=100%"], of: "itunes", exit: 1)
        #expect(found.differences.contains { $0["column"]?.text == "raw" || $0["column"]?.text == "name" })
      }
    }
  }
}

extension Mirror {
  fileprivate func runTop() async throws {
    let run = try await syncctl("run", "--stream", "top-anime")
    #expect(run.end == .exit(0), "\(run.standardError)")
  }

  fileprivate func verify(
    _ options: [String], of source: String = "jikan", exit: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (differences: [JSONValue], requests: Int, standardError: String) {
    let result = try await asOwner.program.run(
      ["verify", "--source", source, "--format", "json"] + options, environment: asOwner.wholeEnvironment, in: home.path
    )
    #expect(result.end == .exit(exit), "\(result.standardError)", sourceLocation: sourceLocation)
    // A verification that fails may print nothing.
    if exit != 0, result.standardOutput.isEmpty { return ([], 0, result.standardError) }
    let output = try JSONValue(result.standardOutput)
    return (
      output["differences"]?.array ?? [], output["checked"]?["requests"]?.int ?? 0, result.standardError
    )
  }
}
