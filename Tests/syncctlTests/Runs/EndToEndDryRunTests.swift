import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DryRun {
    @Test("A list that fills, does not change, moves, has bad items, and is resumed")
    func list() async throws {
      let list = Changing(try HandmadeList.numbered(1...60))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        let stream = ["--stream", "top-anime"]
        let first = try await mirror.expectForetold(stream)
        #expect(first.changes.count == 60 && first.run["inserted"]?.int == 60)
        let second = try await mirror.expectForetold(stream)
        #expect(second.changes.isEmpty && second.run["unchanged"]?.int == 60)

        list.value.items[3] = list.value.items[3].replacing("1004", with: "2004")
        list.value.items[4] = try HandmadeList.item(5, title: "Another \u{1B}[31m title", extra: #", "year": 2001"#)
        list.value.items[5] = try HandmadeList.item(6, title: "Title 6", extra: #", "themes": [{"mal_id": 1}]"#)
        list.value.items[50] = #"{"mal_id": 51, "title": "Title 51", "score": 8.5.1}"#
        list.value.items[51] = #"{"mal_id": "52", "title": "Title 52"}"#
        list.value.items.append(try HandmadeList.item(61, title: "New"))
        let third = try await mirror.expectForetold(stream)
        #expect(third.changes.count == 4)
        #expect(
          third.changes["4"]?["columns"] == .object(["members": .object(["from": .number(1004), "to": .number(2004)])]))
        #expect(third.changes["5"]?["columns"]?["title"]?["to"]?.text == "Another \u{1B}[31m title")
        #expect(third.changes["6"]?["columns"]?["raw"]?["to"] == .list([.string("themes")]))
        #expect((third.run["documents_updated"]?.int, third.run["quarantined"]?.int) == (2, 2))

        list.value.items[0] = try HandmadeList.item(1, title: "First")
        list.value.items[40] = try HandmadeList.item(41, title: "Later")
        let partial = try await mirror.expectForetold(stream + ["--max-pages", "1"])
        #expect(partial.run["status"] == .string("partial") && Array(partial.changes.keys) == ["1"])
        let rest = try await mirror.expectForetold(stream)
        #expect(rest.run["pages"]?.int == 2 && Array(rest.changes.keys) == ["41"])
        list.value.items[59] = try HandmadeList.item(60, title: "Last")
        let full = try await mirror.expectForetold(stream + ["--full"])
        #expect(full.run["pages"]?.int == 3 && Array(full.changes.keys) == ["60"])
      }
    }

    @Test("Each format can be read as a stream, and is harmless to a terminal")
    func forms() async throws {
      let list = Changing(try HandmadeList.numbered(1...30))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        _ = try await mirror.syncctl("run", "--stream", "top-anime")
        list.value.items[6] = try HandmadeList.item(
          7, title: "Wide 漫画\u{1B}[2J", extra: ", \"synopsis\": \"\(String(repeating: "long ", count: 1000))\"")
        list.value.items.append(try HandmadeList.item(31, title: "New"))
        let table = try await mirror.succeed("run", "--stream", "top-anime", "--dry-run")
        let lines = table.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 7, "\(table.standardOutput)")
        #expect(lines[0].hasPrefix("stream") && lines[1].contains("title: \"Title 7\" → \"Wide 漫画\\"))
        #expect(lines[1].hasPrefix("top-anime  update         7  Wide 漫画\\u{1B}[2J") && lines[1].count < 400)
        #expect(lines[2] == "top-anime  insert        31  New" && lines[3].isEmpty && lines[5].hasPrefix("top-anime"))
        #expect(!table.standardOutput.contains("\u{1B}") && table.standardError.contains("nothing is written"))

        let ndjson = try await mirror.syncctl("run", "--stream", "top-anime", "--dry-run", "--format", "ndjson")
        let objects = try ndjson.standardOutput.split(separator: "\n").map { try JSONValue(String($0)) }
        try #require(objects.count == 3)
        #expect(objects[0]["columns"]?["synopsis"]?["to"]?.text?.count == 5000)
        #expect(objects[2]["dry_run"] == .bool(true) && objects[2]["id"] == .null && objects[2]["updated"]?.int == 1)
        let csv = try await mirror.syncctl("run", "--stream", "top-anime", "--dry-run", "--format", "csv")
        #expect(csv.standardOutput.hasPrefix("stream,change,key,title,columns\r\ntop-anime,update,7,"))
        #expect(csv.standardOutput.hasSuffix("\r\ntop-anime,insert,31,New,{}\r\n"))
        let bare = try await mirror.syncctl(
          "run", "--stream", "top-anime", "--dry-run", "--format", "csv", "--no-header")
        #expect(bare.standardOutput == String(csv.standardOutput.split(separator: "columns\r\n")[1]))
        for options in ["--columns nope", "--columns id --dry-run"] {
          let refused = try await mirror.shell("\"$0\" run --stream top-anime \(options)")
          #expect(refused.end == .exit(64) && !refused.standardError.contains("page 1"), "\(refused.standardError)")
        }
        let head = try await mirror.shell("\"$0\" run --stream top-anime --dry-run --format ndjson | head -n 1")
        #expect(head.end == .exit(0) && head.standardOutput.split(separator: "\n").count == 1)
        #expect(!head.standardError.contains("error:"), "\(head.standardError)")
        let closed = try await mirror.shell("\"$0\" run --dry-run --full --stream top-anime | true")
        #expect(closed.end == .exit(0) && !closed.standardError.contains("error:"), "\(closed.standardError)")
      }
    }

    @Test("A database without a mirror stays without one")
    func noMirror() async throws {
      let mirror = try await Mirror.make(.empty)
      try await SimulatorServer.withServer(GeneratedJikan.plain(30)) { server in
        let result = try await mirror.with(upstream: server.baseURL).syncctl("run", "--source", "jikan", "--dry-run")
        result.expectFailure(78, naming: "holds no mirror yet", "syncctl migrate")
        #expect(server.history.count == 0)
        #expect(try await mirror.sql("SELECT count(*) FROM pg_namespace WHERE nspname IN ('sync', 'jikan')") == "0")
        var embedded = mirror.with(upstream: server.baseURL)
        embedded.environment["SYNCCTL_DATABASE_URL"] = ""
        embedded.environment["SYNCCTL_DATA_DIR"] = mirror.home.path + "/data"
        let nowhere = try await embedded.syncctl("run", "--source", "jikan", "--dry-run")
        nowhere.expectFailure(78, naming: "there is no mirror yet")
        #expect(!FileManager.default.fileExists(atPath: mirror.home.path + "/data/postgres"))
      }
    }
  }
}

private struct Foretold {
  let changes: [String: JSONValue]
  let run: JSONValue
}

extension Mirror {
  fileprivate func expectForetold(
    _ arguments: [String], exit: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Foretold {
    let before = try await items()
    let tables = try await allTables()
    let dry = try await run(arguments + ["--dry-run"])
    #expect(dry.end == .exit(exit), "\(dry.standardError)", sourceLocation: sourceLocation)
    #expect(try await allTables() == tables, "a dry run has written", sourceLocation: sourceLocation)
    let real = try await run(arguments)
    #expect(real.end == .exit(exit), "\(real.standardError)", sourceLocation: sourceLocation)

    let plan = try JSONValue(dry.standardOutput)
    #expect(plan["dry_run"] == .bool(true), sourceLocation: sourceLocation)
    let runs = try #require(plan["runs"]?.array, sourceLocation: sourceLocation)
    let done = try #require(try JSONValue(real.standardOutput)["runs"]?.array, sourceLocation: sourceLocation)
    #expect(runs.allSatisfy { $0["id"] == .null }, sourceLocation: sourceLocation)
    #expect(runs.map(Self.comparable) == done.map(Self.comparable), sourceLocation: sourceLocation)
    let changes = try #require(plan["changes"]?.array, sourceLocation: sourceLocation)
    let byKey = Dictionary(changes.map { ("\($0["key"]?.int ?? 0)", $0) }, uniquingKeysWith: { $1 })
    let expected = Self.differences(before, try await items())
    let told = byKey.mapValues { change in
      JSONValue.object(["change": change["change"] ?? .null, "columns": Self.plain(change["columns"])])
    }
    #expect(told == expected, sourceLocation: sourceLocation)
    return Foretold(changes: byKey, run: try #require(runs.first, sourceLocation: sourceLocation))
  }

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await program.run(
      ["run", "--source", "jikan", "--format", "json"] + arguments, environment: wholeEnvironment, in: home.path)
  }

  private static func comparable(_ run: JSONValue) -> [String: JSONValue] {
    var members = run.members ?? [:]
    for name in ["id", "wal_bytes", "duration_seconds", "permits_waited", "waited_seconds"] { members[name] = nil }
    members["error"] = (members["error"]?.text?.split(separator: ";").first).map { .string(String($0)) } ?? .null
    return members
  }

  private func items() async throws -> [String: JSONValue] {
    let rows = try await objects(
      """
      SELECT mal_id, to_jsonb(m) - '{kind,mal_id,content_hash,first_seen_at,changed_at,requested_at}'::text[]
        || to_jsonb(c) - '{kind,mal_id,counter_hash,changed_at,requested_at}'::text[]
        || jsonb_build_object('raw', md5((
          m.raw - '{score,scored,scored_by,rank,popularity,members,favorites}'::text[])::text)) AS item
      FROM jikan.media m JOIN jikan.media_counters c USING (kind, mal_id)
      """)
    return Dictionary(uniqueKeysWithValues: rows.map { ("\($0["mal_id"]?.int ?? 0)", $0["item"] ?? .null) })
  }

  /// Digests of all rows and their versions. Permits are omitted, because a dry run takes permits too.
  private func allTables() async throws -> [String] {
    let names = try await sql(
      """
      SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname IN ('sync', 'jikan', 'app') AND tablename <> 'rate_budget' ORDER BY 1
      """)
    var tables: [String] = []
    for name in names.split(separator: "\n") {
      let digest = try await sql(
        "SELECT count(*), md5(string_agg(r, ' ' ORDER BY r)) FROM (SELECT concat(xmin, xmax, ctid, t) r FROM \(name) t) s"
      )
      tables.append("\(name) \(digest)")
    }
    return tables
  }

  private static func differences(_ before: [String: JSONValue], _ after: [String: JSONValue]) -> [String: JSONValue] {
    var found: [String: JSONValue] = [:]
    for (key, item) in after where before[key] != item {
      guard let old = before[key]?.members, let new = item.members else {
        found[key] = .object(["change": .string("insert"), "columns": .object([:])])
        continue
      }
      if old["vanished_at"] == .null, new["vanished_at"] != .null {
        found[key] = .object(["change": .string("vanish"), "columns": .object([:])])
        continue
      }
      var columns: [String: JSONValue] = [:]
      for (name, value) in new where name != "raw" && old[name] != value {
        columns[name] = .object(["from": old[name] ?? .null, "to": value])
      }
      found[key] = .object(["change": .string("update"), "columns": .object(columns)])
    }
    return found
  }

  private static func plain(_ columns: JSONValue?) -> JSONValue {
    .object((columns?.members ?? [:]).filter { $0.key != "raw" })
  }
}
