import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredChildren {
    @Test("an unchanged run writes no row, and verify finds no difference", arguments: PagedAPI.Paging.some)
    func unchanged(paging: PagedAPI.Paging) async throws {
      let api = ParentsAPI()
      api.paging = paging
      try await Mirror.withHub(api, Hub(paging: paging)) { mirror, _ in
        let first = try #require(try await mirror.runHub().runs["issues"])
        try first.expect(["inserted": 15])
        #expect(first["status"] == .string(paging == .link ? "unproven" : "complete"), "\(first)")
        #expect(first["certificate"]?["lists"]?["total"]?.int == 5)
        #expect(try await mirror.places() == api.places)

        let before = try await mirror.rowVersions()
        let again = try #require(try await mirror.runHub().runs["issues"])
        try again.expect(["inserted": 0, "updated": 0, "unchanged": 15, "rows_seen": 15])
        if paging != .link { #expect(again["not_modified"]?.int == again["pages"]?.int, "\(again)") }
        #expect(try await mirror.rowVersions() == before)
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test(
      "places that were edited are found and repaired, also in lists that a run does not request",
      arguments: [[], ["refresh: changed"]])
    func edited(child: [String]) async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, Hub(child: [Hub.lookup] + child)) { mirror, _ in
        try await mirror.runHub()
        if !child.isEmpty { try await mirror.runHub() }
        for edit in [
          "UPDATE hub.issues_list SET position = 7 WHERE (list, syncctl_key) = (3, 301)",
          "DELETE FROM hub.issues_list WHERE (list, syncctl_key) = (4, 400)",
          "INSERT INTO hub.issues_list VALUES (5, 200, 6)",
        ] { _ = try await mirror.sql(edit) }
        // Places of a list that was not requested are only compared as a whole.
        let found = try await mirror.differences(exit: 1)
        let rows = ["hub.issues_list 3 301", "hub.issues_list 4 400", "hub.issues_list 5 200"]
        #expect(found == (child.isEmpty ? rows : ["sync.publication 0 0"]))
        #expect(try await mirror.differences("--repair", exit: 1) == found)

        _ = api.takeRequests()
        let run = try #require(try await mirror.runHub().runs["issues"])
        #expect(run["status"] == .string("complete"), "\(run)")
        #expect(api.takeLists() == [1, 2, 3, 4, 5])
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test(
      "a stopped run continues in its list, and no other run reads the stream meanwhile", arguments: [SIGKILL, SIGINT])
    func stopped(signal: Int32) async throws {
      let (api, gate) = (ParentsAPI(), Gate())
      api.gate = ("/r4/issues?page=2", gate)
      try await Mirror.withHub(api) { mirror, _ in
        defer { gate.open() }
        let stopped = try await mirror.syncctl("run", "--source", "hub") { program in
          try await waitUntil("the request") { gate.arrivals > 0 }
          try await waitUntil("page 1 of list 4") {
            try await mirror.sql("SELECT count(*) FROM sync.walk_page WHERE list = '4'") == "1"
          }
          let other = try await mirror.syncctl("run", "--source", "hub", "--stream", "issues")
          other.expectFailure(75, naming: "hub/issues", isQuiet: false)
          program.signal(signal)
        }
        #expect(stopped.end == (signal == SIGKILL ? .signal(SIGKILL) : .exit(130)), "\(stopped.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM hub.issues_list") == "0")

        api.gate = nil
        gate.open()
        _ = api.takeRequests()
        let run = try #require(try await mirror.runHub().runs["issues"])
        #expect(run["status"] == .string("complete") && run["certificate"]?["lists"]?["complete"]?.int == 5, "\(run)")
        let requests = api.takeRequests().filter { $0.contains("/issues?") }
        #expect(requests.first == "/repos/o/r4/issues?page=2" && !requests.contains { $0.contains("/r3/") })
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.sql("SELECT count(*), count(DISTINCT id) FROM hub.issues") == "15|15")
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    struct Rules: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let child: [String]
      let parent: [String]
      /// The items that vanish with parent 3. Item 301 is also in the list of parent 4.
      let vanished: String
      let lookups: [String]

      static let all = [
        Rules(
          testDescription: "with lookups", child: [Hub.lookup], parent: Hub.parent, vanished: "300 302",
          lookups: ["100", "300", "302"]),
        Rules(testDescription: "without lookups", child: [], parent: ["counters: [stars]"], vanished: "", lookups: []),
        Rules(
          testDescription: "with its parent", child: ["with_parent: true"], parent: Hub.parent, vanished: "300 302",
          lookups: []),
      ]
    }

    @Test(
      "the places of a removed parent stay until its removal is known, and its items need a proof",
      arguments: Rules.all)
    func removedParent(rules: Rules) async throws {
      let api = ParentsAPI()
      api.issues[4]?.append(ParentsAPI.issue(301))
      try await Mirror.withHub(api, Hub(child: rules.child, parent: rules.parent)) { mirror, _ in
        try await mirror.runHub()
        let before = try await mirror.places()
        let parent = api.parents[3]
        api.remove(3, isListed: true)
        _ = api.takeRequests()
        let during = try await mirror.runHub(exit: 1)
        #expect(during.runs["issues"]?["status"] == .string("partial"), "\(during)")
        #expect(during.said.contains("/r3/issues?page=1 answered 404"), "\(during.said)")
        #expect(try await mirror.places() == before)
        #expect(try await mirror.vanishedIssues() == "")
        #expect(api.takeLookups().isEmpty)

        api.listedOnly = []
        let run = try #require(try await mirror.runHub().runs["issues"])
        #expect(run["status"] == .string("complete"), "\(run)")
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.vanishedIssues() == rules.vanished)
        #expect(api.takeLookups() == rules.lookups)
        #expect(try await mirror.sql("SELECT count(*) FROM hub.issues") == "15")

        api.parents[3] = parent
        try await mirror.runHub()
        #expect(try await mirror.places() == before)
        #expect(try await mirror.vanishedIssues() == "")
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test("a refused list keeps its places, and the others are published", arguments: ["page=1", "page=2"])
    func refused(page: String) async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api) { mirror, _ in
        try await mirror.runHub()
        api.issues[4]?.removeLast()
        api.issues[5]?.removeFirst()
        api.refused = ["/r4/issues?\(page)": 403]
        _ = api.takeRequests()
        let (runs, said) = try await mirror.runHub(exit: 1)
        let lists = try #require(runs["issues"]?["certificate"]?["lists"])
        #expect(runs["issues"]?["status"] == .string("partial"), "\(runs)")
        #expect(lists["partial"]?.int == 1 && lists["complete"]?.int == 4, "\(lists)")
        #expect(said.contains("answered 403: refused"), "\(said)")
        #expect(said.contains("of which 1 partial"), "\(said)")
        #expect(said.contains("; the places of partial lists are those of an earlier run"), "\(said)")
        let requests = api.takeRequests()
        #expect(requests.contains("/repos/o/r4/issues?\(page)"))
        #expect(requests.filter { $0.hasPrefix("/issues/") } == ["/issues/100", "/issues/500"])
        let kept = api.places.replacing("4: 400 401 402", with: "4: 400 401 402 403")
        #expect(try await mirror.places() == kept)
        #expect(try await mirror.vanishedIssues() == "500")
        let status = try #require(try await mirror.rows("status", "--source", "hub", "--stream", "issues").first)
        #expect(status["last_run"] == .string("partial"), "\(status)")

        api.refused = [:]
        #expect(try await mirror.runHub().runs["issues"]?["status"] == .string("complete"))
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.vanishedIssues() == "403 500")
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test("an item can move to another list, and can be in two lists: one row, and no sign that a list changed")
    func moved() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api) { mirror, _ in
        try await mirror.runHub()
        api.issues[3]?.removeFirst()
        api.issues[5]?.append(ParentsAPI.issue(300))
        api.issues[1]?.append(ParentsAPI.issue(400))
        _ = api.takeRequests()
        let run = try #require(try await mirror.runHub().runs["issues"])
        try run.expect(["inserted": 0, "updated": 0, "vanished": 0])
        #expect(run["status"] == .string("complete") && run["certificate"]?["drift"]?.int == 0, "\(run)")
        #expect(try await mirror.places() == api.places)
        #expect(api.takeLookups().isEmpty)

        let before = try await mirror.rowVersions()
        try await mirror.runHub()
        #expect(try await mirror.rowVersions() == before)
        #expect(try await mirror.sql("SELECT count(*), count(DISTINCT id) FROM hub.issues_places") == "16|15")

        api.issues[1]?.removeLast()
        _ = api.takeRequests()
        try await mirror.runHub()
        #expect(try await mirror.places() == api.places)
        #expect(api.takeLookups().isEmpty)
        #expect(try await mirror.vanishedIssues() == "")
      }
    }

    @Test("a list that claims more items than it has proves no removal, and the other lists do")
    func lyingTotal() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api) { mirror, _ in
        try await mirror.runHub()
        api.issues[4]?.removeLast()
        api.issues[5]?.removeLast()
        api.totals[4] = 9
        let (runs, said) = try await mirror.runHub()
        let run = try #require(runs["issues"])
        #expect(run["status"] == .string("inconsistent"), "\(run)")
        let certificate = try #require(run["certificate"])
        #expect(certificate["lists"]?["inconsistent"]?.int == 1 && certificate["claimed_total"]?.int == 19)
        #expect(said.contains("no item of an inconsistent list is marked as removed"), "\(said)")
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.vanishedIssues() == "504")
        let consistent = "SELECT consistent FROM sync.publication WHERE list = 'issues'"
        #expect(try await mirror.sql(consistent) == "f")

        api.totals = [:]
        try await mirror.runHub()
        #expect(try await mirror.sql(consistent) == "t")
        #expect(try await mirror.vanishedIssues() == "403 504")
      }
    }

    @Test("the guard holds a run that would remove many places, and the run does not count as a reading of its lists")
    func guarded() async throws {
      let api = ParentsAPI()
      api.pageSize = 100
      let many = (0..<60).map { ParentsAPI.issue(50_000 + $0) }
      api.issues[5] = many
      let count = "SELECT count(*) FROM hub.issues_list"
      try await Mirror.withHub(api, Hub(child: ["refresh: changed"])) { mirror, _ in
        try await mirror.runHub()
        api.issues[5] = []
        api.parents[5]?.note = 1
        _ = api.takeRequests()
        var held = ""
        for _ in 1...2 {
          let (runs, said) = try await mirror.runHub(exit: 86)
          held = runs["issues"]?["id"]?.text ?? ""
          #expect(said.contains("would remove 60 of 70 entries"), "\(said)")
          #expect(api.takeLists() == [5], "a held run counts as a reading")
          #expect(try await mirror.sql(count) == "70")
        }
        let shown = try await mirror.syncctl("confirm", held, "--yes")
        #expect(shown.end == .exit(0), "\(shown.standardError)")
        #expect(shown.standardError.contains("60 items"), "\(shown.standardError)")
        #expect(try await mirror.places() == api.places)
        _ = api.takeRequests()
        try await mirror.runHub()
        #expect(api.takeLists() == [])

        api.issues[5] = many
        try await mirror.runHub("--full")
        api.parents = [:]
        let (_, said) = try await mirror.runHub(exit: 86)
        #expect(said.contains("would remove 70 of 70 entries"), "\(said)")
        #expect(try await mirror.sql(count) == "70")
      }
    }

    @Test("refresh: changed requests the lists of new and changed parents, and of lists that are old")
    func refresh() async throws {
      let api = ParentsAPI()
      let hub = Hub(child: [Hub.lookup, "refresh: changed"])
      try await Mirror.withHub(api, hub) { mirror, address in
        try await mirror.runHub()
        api.parents[2]?.stars = 99
        api.issues[3]?.removeLast()
        _ = api.takeRequests()
        let idle = try await mirror.runHub()
        #expect(idle.said.contains("hub/issues: no request, 5 lists unchanged"), "\(idle.said)")
        #expect(!idle.said.contains("returned no items"), "\(idle.said)")
        #expect(api.takeRequests() == ["/repos"], "an item of another list was requested")

        api.parents[4]?.note = 1
        api.issues[4]?.removeLast()
        api.parents[6] = ParentsAPI.Parent(id: 6)
        api.issues[6] = [ParentsAPI.issue(600)]
        let kept = "3: 300 301 302"
        #expect(try await mirror.places().contains(kept))
        try await mirror.runHub("--dry-run")
        #expect(api.takeRequests() == ["/repos"], "a dry run uses the stored parents")
        try await mirror.runHub("--stream", "repos")
        _ = api.takeRequests()
        let dry = try #require(try await mirror.runHub("--dry-run", "--stream", "issues").runs["issues"])
        try dry.expect(["inserted": 1, "vanished": 1])
        let planned = api.takeRequests()
        let run = try #require(try await mirror.runHub("--stream", "issues").runs["issues"])
        try run.expect(["inserted": 1, "vanished": 1])
        #expect(planned == api.takeRequests())
        #expect(planned.suffix(2) == ["/issues/400", "/issues/403"] && !planned.contains { $0.contains("/r3/") })
        #expect(try await mirror.places() == api.places.replacing("3: 300 301", with: kept))

        let aging = "UPDATE sync.list_state SET read_at = read_at - interval '8 days' WHERE list IN ('1', '2')"
        _ = try await mirror.sql(aging)
        try await mirror.runHub()
        #expect(api.takeLists() == [1, 2])
        try await mirror.runHub("--full")
        #expect(api.takeLists() == [1, 2, 3, 4, 5, 6])
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.vanishedIssues() == "302 403")

        var other = hub
        other.endpoint = ["params: { state: all }"]
        try mirror.declare(other, at: address)
        _ = api.takeRequests()
        try await mirror.runHub()
        #expect(api.takeLists() == [1, 2, 3, 4, 5, 6])
        try await mirror.runHub()
        #expect(api.takeLists() == [])
      }
    }

    @Test("refresh of a counter ignores other changes; a list that was refused, or inconsistent, is requested again")
    func refreshOfCounter() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, Hub(child: [Hub.lookup, "refresh: { changed: stars }"])) { mirror, _ in
        try await mirror.runHub()
        api.parents[2]?.stars = 99
        api.parents[3]?.note = 1
        api.parents[4]?.stars = 99
        api.refused = ["/r4/": 403]
        api.totals[2] = 9
        _ = api.takeRequests()
        try await mirror.runHub(exit: 1)
        #expect(api.takeLists() == [2, 4])
        api.parents[4]?.stars = 4
        api.refused = [:]
        api.totals = [:]
        try await mirror.runHub()
        #expect(api.takeLists() == [2, 4])
        try await mirror.runHub()
        #expect(api.takeLists() == [])
      }
    }

    @Test("equal ids under two parents are two rows, and the view of places follows the parents without a request")
    func identity() async throws {
      let api = ParentsAPI()
      api.issues[1]?.append(ParentsAPI.issue(300, title: "another"))
      // The view has a column for the parent's own member key.
      let hub = Hub(
        child: ["identity: with_parent"], parent: ["counters: [stars]"], parentKey: "key",
        included: "key, full_name, stars")
      try await Mirror.withHub(api, hub) { mirror, _ in
        try await mirror.runHub().runs["issues"]?.expect(["inserted": 16])
        let rows = "SELECT string_agg(title, ', ' ORDER BY _repos_key) FROM hub.issues WHERE id = '300'"
        #expect(try await mirror.sql(rows) == "another, 日本 300")
        let places = """
          SELECT _repos_syncctl_key, _repos_key, _repos_full_name, _repos_stars, string_agg(id, ' ' ORDER BY position)
          FROM hub.issues_places WHERE _repos_key = 3 GROUP BY 1, 2, 3, 4
          """
        #expect(try await mirror.sql(places) == "3|3|o/r3|3|300 301 302")
        #expect(try await mirror.sql("SELECT count(*) FROM hub.issues_places") == "16")

        api.parents[3]?.name = "\"o/r33\""
        api.parents[3]?.stars = 77
        let versions = "SELECT md5(string_agg(concat(xmin, ctid), ' ' ORDER BY ctid)) FROM hub.issues"
        let before = try await mirror.sql(versions)
        _ = api.takeRequests()
        try await mirror.runHub("--stream", "repos")
        #expect(api.takeRequests() == ["/repos"])
        #expect(try await mirror.sql(places) == "3|3|o/r33|77|300 301 302")
        try await mirror.runHub()
        #expect(try await mirror.sql(versions) == before)
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test("grandchildren; without mirrored parents, a run and a dry run name the command that mirrors them")
    func grandchildren() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, Hub(child: [], hasLabels: true)) { mirror, _ in
        let alone = try await mirror.syncctl("run", "--source", "hub", "--stream", "labels")
        alone.expectFailure(1, naming: "hub/issues", "not mirrored yet", "--stream issues", isQuiet: false)
        let before = try await mirror.rowVersions()
        let dry = try await mirror.runHub("--dry-run", exit: 1)
        #expect(dry.runs["repos"]?["inserted"]?.int == 5 && dry.said.contains("--stream repos"), "\(dry)")
        #expect(try await mirror.rowVersions() == before)

        // A list that is not read to its end is not published, so it has no children yet.
        try await mirror.runHub("--max-pages", "2", exit: 1)
        let runs = try await mirror.runHub().runs
        try runs["labels"]?.expect(["inserted": 15])
        #expect(try await mirror.places() == api.places)
        #expect(try await mirror.sql("SELECT count(DISTINCT _issues_id) FROM hub.labels_places") == "15")
        api.remove(5)
        try await mirror.runHub()
        #expect(try await mirror.sql("SELECT count(*) FROM hub.labels_places") == "10")
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test("names of parents cannot lead to another address: they are encoded, or their lists are not requested")
    func hostileNames() async throws {
      let names = [
        "../x", "a/b", "", "a b", "?x=1#f%2F", "//evil.example", "日本", "a/../b", "http://evil.example/", "{0}",
        "a\\\\b",
      ]
      let api = ParentsAPI(parents: names.count + 2)
      for (index, name) in names.enumerated() { api.parents[index + 1]?.name = "\"\(name)\"" }
      api.parents[names.count + 1]?.name = nil
      api.parents[names.count + 2]?.name = "{\"a\": 1}"
      api.pageSize = 100
      try await Mirror.withHub(api, Hub(child: [], parent: [])) { mirror, _ in
        let (_, said) = try await mirror.runHub(exit: 1)
        #expect(said.contains("7 items of repos without a usable full_name: their lists are not requested"), "\(said)")
        let requests = api.takeRequests().filter { $0.contains("/issues?page=1") }.map { String($0.dropLast(14)) }
        #expect(
          requests == [
            "/repos/a/b", "/repos/a%20b", "/repos/%3Fx%3D1%23f%252F", "/repos/%E6%97%A5%E6%9C%AC", "/repos/%7B0%7D",
            "/repos/a%5Cb",
          ])
        let lists = "SELECT string_agg(DISTINCT list::text, ' ') FROM hub.issues_list"
        #expect(try await mirror.sql(lists) == "10 2 4 5 7")

        let before = try await mirror.places()
        api.parents[2]?.name = nil
        let warned = try await mirror.runHub(exit: 1).said
        #expect(warned.contains("8 items of repos without a usable full_name"), "\(warned)")
        #expect(try await mirror.places() == before, "the list of parent 2 is not requested, so its places stay")
      }
    }

    @Test("a worker without the owner's rights runs children, and a reader reads their places")
    func roles() async throws {
      let api = ParentsAPI()
      let hub = Hub(child: ["with_parent: true", "refresh: changed"])
      try await Mirror.withHub(api, hub) { fresh, address in
        try await fresh.server.grant(in: fresh.database)
        _ = try await fresh.sql("SELECT hub.grant_rights()")
        let user = "worker_\(fresh.database.name)"
        _ = try await fresh.sql("CREATE ROLE \(user) LOGIN PASSWORD 'S3cr3t' IN ROLE syncctl_worker")
        let place = "127.0.0.1:\(fresh.database.tcpPort)/\(fresh.database.name)?sslmode=disable"
        let worker = fresh.with(["SYNCCTL_DATABASE_URL": "postgresql://\(user):S3cr3t@\(place)"])
        try await worker.runHub()
        api.remove(3)
        api.parents[4]?.note = 1
        try await worker.runHub()
        #expect(try await fresh.places() == api.places)
        #expect(try await fresh.vanishedIssues() == "300 301 302")
        let doctor = try await worker.syncctl("doctor", "--format", "json")
        #expect(doctor.standardOutput.contains("all that a worker needs"), "\(doctor)")
        let count = try await fresh.sql("SET ROLE syncctl_reader; SELECT count(*) FROM hub.issues_places")
        #expect(count.hasSuffix("12"))
      }
    }

    @Test(
      "a backup has the lists and their states: after a restore, unchanged lists are not requested",
      .ownersAlone("can restore"))
    func backup() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, Hub(child: ["refresh: changed"])) { mirror, address in
        try await mirror.runHub()
        let file = mirror.home.path + "/hub.dump"
        try await mirror.asOwner.succeed("db", "backup", file)
        let target = try await Mirror.make(.empty).asOwner
        try target.declare(Hub(child: ["refresh: changed"]), at: address)
        try await target.succeed("db", "restore", file)
        #expect(try await target.differences(exit: 0) == [])
        api.parents[2]?.note = 1
        _ = api.takeRequests()
        try await target.runHub()
        #expect(api.takeLists() == [2])
        #expect(try await target.places() == api.places)
      }
    }

    @Test("the commands and the pages know children")
    func commands() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.runHub()
        for (command, words) in [
          ("status --all", ["issues", "complete"]), ("doctor --all", ["upstream hub"]),
          ("source list", ["issues", "its 404 proves removal"]),
          ("source check hub", ["2 resources", "issues: 1 item", "lookup finds the first item"]),
          ("favorites add hub issues 301", ["日本 301"]), ("favorites list", ["301"]), ("runs", ["issues"]),
        ] {
          let said = try await mirror.shell("\"$0\" \(command)")
          for word in words { #expect(said.standardOutput.contains(word), "\(command): \(said)") }
          if !command.hasPrefix("doctor") { #expect(said.end == .exit(0), "\(command): \(said.standardError)") }
        }
        try await mirror.browse { browser in
          let page = try await browser.get("/sources/hub/issues")
          #expect(page.status == 200 && page.body.contains("日本 504"), "\(page)")
        }
      }
    }
  }
}
