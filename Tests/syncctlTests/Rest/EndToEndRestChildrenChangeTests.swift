import SyncTestKit
import Testing

extension EndToEnd {
  @Suite(.ownersAlone("may change tables")) struct DeclaredChildrenChanges {
    /// The issues of parent 3 as a resource with one list.
    private static let one = [
      "- name: issues", "  primary_key: id", "  columns: { title: text }", "  total_path: meta.total",
      "  endpoint: { path: repos/o/r3/issues, data_selector: data, paginator: { type: page_number, base_page: 1 } }",
    ]

    @Test("one list can become several, and several one: migrate says so, and the next run writes the places")
    func lists() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, file: { Hub.file(Self.one, at: $0) }) { mirror, address in
        try await mirror.runHub()
        try await mirror.succeed("favorites", "add", "hub", "issues", "301")
        for hub in [Hub(), nil] {
          if let hub {
            try mirror.declare(hub, at: address)
          } else {
            _ = try mirror.home.write(Hub.file(Self.one, at: address), to: "syncctl.yaml")
          }
          let refused = try await mirror.syncctl("run", "--source", "hub")
          refused.expectFailure(78, naming: "syncctl migrate", isQuiet: false)
          let words = "hub.issues_list: created again, because the resource has other lists"
          #expect(try await mirror.succeed("migrate", "--dry-run").standardError.contains("pending: \(words)"))
          #expect(try await mirror.succeed("migrate").standardError.contains(words))
          #expect(try await mirror.succeed("migrate").standardError.contains("Nothing to do"))
          let run = try #require(try await mirror.runHub().runs["issues"])
          try run.expect(["inserted": hub == nil ? 0 : 12, "updated": 0])
          #expect(try await mirror.differences(exit: 0) == [])
          guard hub == nil else {
            #expect(try await mirror.places() == api.places)
            continue
          }
          let listed = "SELECT string_agg(syncctl_key::text, ' ' ORDER BY position) FROM hub.issues_list"
          #expect(try await mirror.sql(listed) == "300 301 302")
        }
        #expect(try await mirror.rows("favorites", "list").first?["title"] == .string("日本 301"))
      }
    }

    private static let columns = """
      SELECT string_agg(attname || ' ' || format_type(atttypid, NULL), ', ' ORDER BY attname) FROM pg_attribute
      WHERE attrelid = 'hub.issues_places'::regclass AND attname LIKE '%\\_repos%'
      """

    @Test("migrate changes the view of places when its members change, and creates what was dropped")
    func view() async throws {
      let api = ParentsAPI()
      var hub = Hub(child: [])
      try await Mirror.withHub(api, hub) { mirror, address in
        try await mirror.runHub()
        for (included, columns, expected) in [
          ("note", "note: integer", "_repos_note integer"), ("note", "note: text", "_repos_note text"),
          ("stars", "full_name: text", "_repos_stars numeric"), ("", "full_name: text", ""),
          ("full_name, id", "full_name: text", "_repos_full_name text, _repos_id bigint"),
        ] {
          hub.included = included
          hub.parentColumns = columns
          try mirror.declare(hub, at: address)
          try await mirror.succeed("migrate", "--drop-columns")
          let key = "_repos_syncctl_key bigint"
          let all = (expected.isEmpty ? [] : expected.split(separator: ", ").map(String.init)) + [key]
          #expect(try await mirror.sql(Self.columns) == all.sorted().joined(separator: ", "))
        }

        for (statement, created) in [
          ("DROP VIEW hub.issues_places", ["hub.issues_places: created"]),
          ("DROP TABLE hub.issues_list CASCADE", ["hub.issues_list: was dropped", "hub.issues_places: created"]),
          ("DROP TABLE hub.repos CASCADE", ["hub.repos: was dropped", "hub.issues_places: created"]),
        ] {
          _ = try await mirror.sql(statement)
          let said = try await mirror.succeed("migrate").standardError
          for words in created { #expect(said.contains(words), "\(statement): \(said)") }
          try await mirror.runHub().runs["issues"]?.expect(["inserted": 0, "updated": 0])
          #expect(try await mirror.sql("SELECT count(*), count(_repos_full_name) FROM hub.issues_places") == "15|15")
          #expect(try await mirror.differences(exit: 0) == [])
        }
      }
    }

    @Test("new counters of a child with refresh are filled by the next run, although no parent has changed")
    func counters() async throws {
      let api = ParentsAPI()
      var hub = Hub(child: ["refresh: changed"])
      try await Mirror.withHub(api, hub) { mirror, address in
        try await mirror.runHub()
        hub.child.append("counters: [title]")
        try mirror.declare(hub, at: address)
        try await mirror.succeed("migrate", "--drop-columns")
        _ = api.takeRequests()
        try await mirror.runHub()
        #expect(api.takeLists() == [1, 2, 3, 4, 5])
        #expect(try await mirror.sql("SELECT count(title) FROM hub.issues_counters") == "15")
        try await mirror.runHub()
        #expect(api.takeLists() == [])
      }
    }

    @Test("a resource that is no longer declared does not stop verify")
    func undeclared() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, Hub(child: [], hasLabels: true)) { mirror, address in
        try await mirror.runHub()
        try mirror.declare(Hub(child: []), at: address)
        #expect(try await mirror.differences(exit: 0) == [])
        _ = try await mirror.sql("UPDATE hub.issues SET raw = raw || '{\"title\": \"other\"}' WHERE id = 300")
        #expect(try await mirror.differences("--repair", exit: 1) == ["hub.issues 0 300"])
        try await mirror.runHub()
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }
  }
}
