import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// `verify` must report each random edit of the tables and nothing else. `--repair` and one run must undo all edits.
  @Suite struct VerifyProperty {
    struct World: CustomTestStringConvertible, Sendable {
      let source: String
      var streams: [String] = []
      var configuration: String?
      let documents: [(table: String, id: String)]
      /// The edited tables without documents. Rows are added only to these tables, because a run cannot fetch an
      /// invented document.
      let others: [String]
      var testDescription: String { source }
    }

    private static let worlds = [
      World(
        source: "jikan", streams: ["top-anime", "anime-catalog", "genres:anime:genres", "genres:anime:themes"],
        documents: [("jikan.media", "mal_id")],
        others: ["jikan.media_counters", "jikan.media_links", "jikan.media_title", "jikan.ranking", "jikan.genre"]),
      World(
        source: "pokeapi", streams: ["nature", "type", "language"], documents: [("pokeapi.resource", "id")],
        others: ["pokeapi.name", "pokeapi.nature", "pokeapi.type", "pokeapi.type_relation", "pokeapi.language"]),
      World(
        source: "itunes",
        configuration: """
          sources:
            itunes:
              charts: [ { name: songs, country: us, media: music, feed: most-played, type: songs, limit: 25 } ]
              searches: [ { name: "no", term: "10", media: podcast }, { name: again, term: "10", media: podcast } ]
          """,
        documents: [("itunes.item", "id"), ("itunes.chart_item", "id")],
        others: ["itunes.chart_entry", "itunes.search_result"]),
      World(
        source: "declared",
        configuration: """
          sources:
            declared:
              type: rest_api
              client: { base_url: "http://127.0.0.1:1" }
              resources:
                - name: anime
                  primary_key: mal_id
                  columns: { title: text, episodes: integer, started_at: { path: aired.from, type: timestamptz } }
                  counters: [score, members, favorites]
                  total_path: pagination.items.total
                  endpoint:
                    path: top/anime
                    params: { limit: 25 }
                    data_selector: data
                    paginator: { type: page_number, base_page: 1, total_path: pagination.last_visible_page }
          """,
        documents: [("declared.anime", "syncctl_key")], others: ["declared.anime_counters", "declared.anime_list"]),
    ]

    @Test(arguments: worlds)
    func everyDifferenceIsTrueNamedOnceAndHealed(_ world: World) async throws {
      let upstream = SideBySideUpstream(
        [.pokeAPI: SimulatedPokeAPI(), .iTunes: GeneratedITunes()], other: GeneratedJikan.plain(60))
      try await Mirror.with(upstream) { fresh, server in
        var mirror = fresh
        if let configuration = world.configuration {
          mirror = mirror.with([
            "SYNCCTL_CONFIG": try mirror.home.write(configuration, to: "syncctl.yaml"),
            "SYNCCTL_ITUNES_CHARTS_BASE_URL": server.baseURL,
            "SYNCCTL_DECLARED_BASE_URL": "\(server.baseURL)/v4",
          ])
          if world.source == "declared" { try await mirror.asOwner.succeed("migrate") }
        }
        try await Self.run(world, mirror)
        let tables = try await Self.tables(of: world, mirror)
        let before = try await Self.rows(tables, mirror)
        var random = SeededGenerator(seed: testSeed)
        var edits = 0
        for round in 1...(2 * testFactor) {
          var script: [String] = []
          for _ in 1...Int.random(in: 1...10, using: &random) {
            guard let table = tables.randomElement(using: &random) else { continue }
            let edit = table.edit(number: script.count + 1, &random)
            guard (try? await mirror.sql(edit)) != nil else { continue }
            script.append(edit)
          }
          edits += script.count
          let context = "seed \(testSeed), round \(round):\n" + script.joined(separator: ";\n")
          let edited = try await Self.rows(tables, mirror)
          let found = try await Self.differences(mirror, world)
          Self.check(found, before, edited, world, context)
          _ = try await mirror.asOwner.syncctl("verify", "--source", world.source, "--repair")
          try await Self.run(world, mirror)
          let left = try await Self.differences(mirror, world)
          #expect(left.isEmpty, "\(context)\nleft: \(left)")
          let after = try await Self.rows(tables, mirror)
          #expect(after == before, "\(context)\n\(Self.changes(before, after))")
        }
        #expect(edits > 0, "seed \(testSeed): all edits were refused")
      }
    }

    struct RowKey: Hashable {
      let table: String
      let key: String
      let ids: Set<Int>

      init(_ table: String, _ key: JSONValue?) {
        self.table = table
        let members = key?.members ?? [:]
        self.key = members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        ids = Set(members.values.compactMap(\.int))
      }
    }

    private static func check(
      _ found: [JSONValue], _ before: [RowKey: String], _ edited: [RowKey: String], _ world: World, _ context: String
    ) {
      let documents = Set(world.documents.map(\.table))
      let lost = before.keys.filter { documents.contains($0.table) && edited[$0] == nil }
        .reduce(into: Set<Int>()) { $0.formUnion($1.ids) }
      let changed = Self.changes(before, edited)
      var named: [RowKey: Set<String?>] = [:]
      for difference in found {
        let row = RowKey(difference["table"]?.text ?? "", difference["key"])
        // If a document was deleted, `verify` also names the rows derived from it.
        #expect(changed.contains(row) || !lost.isDisjoint(with: row.ids), "\(context)\nfalse: \(difference)")
        let isFirst = named[row, default: []].insert(difference["column"]?.text).inserted
        #expect(isFirst, "\(context)\ntwice: \(difference)")
      }
      for row in changed {
        // If `verify` names a document, it does not check the rows derived from it.
        let isCovered = named.keys.contains { named in
          named == row || documents.contains(named.table) && !named.ids.isDisjoint(with: row.ids)
        }
        #expect(isCovered, "\(context)\nnot found: \(row)")
      }
      for (row, columns) in named where columns.contains(nil) {
        #expect(columns.count == 1, "\(context)\na row and its values: \(row)")
      }
    }

    private static func changes(_ before: [RowKey: String], _ after: [RowKey: String]) -> Set<RowKey> {
      Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    }

    struct Table {
      let name: String
      let key: [String]
      let columns: [(name: String, type: String)]
      let id: String
      let takesRows: Bool

      /// These columns are neither edited nor compared, because they are not copies of a document.
      static let times: Set<String> = [
        "first_seen_at", "changed_at", "requested_at", "count_changed_at", "vanished_at",
      ]

      func edit(number: Int, _ random: inout SeededGenerator) -> String {
        let salt = Int.random(in: 0..<1_000_000, using: &random)
        let one = "(SELECT ctid FROM \(name) t ORDER BY md5(t::text || '\(salt)') LIMIT 1)"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "DELETE FROM \(name) WHERE ctid = \(one)"
        case 1 where takesRows:
          return """
            INSERT INTO \(name) SELECT (jsonb_populate_record(t, '{"\(id)": \(880_000 + number)}')).* FROM \(name) t
            WHERE ctid = \(one)
            """
        default:
          guard let column = columns.randomElement(using: &random) else { return "SELECT 1" }
          return "UPDATE \(name) SET \(column.name) = \(Self.other(column)) WHERE ctid = \(one)"
        }
      }

      private static func other(_ column: (name: String, type: String)) -> String {
        let name = column.name
        return switch column.type {
        case "text": "coalesce(\(name), '') || 'x'"
        case "integer", "bigint", "numeric", "smallint": "coalesce(\(name), 0) + 1"
        case "boolean": "\(name) IS NOT TRUE"
        case "jsonb": "coalesce(\(name), '{}') || '{\"x\": 1}'"
        case "bytea": "set_byte(\(name), 5, 255 - get_byte(\(name), 5))"
        case "text[]": "coalesce(\(name), '{}') || '{x}'"
        case "bigint[]": "coalesce(\(name), '{}') || '{7}'"
        case "date": "coalesce(\(name), '2001-02-03') + 1"
        case "timestamp with time zone": "coalesce(\(name), '2001-02-03') + interval '1 day'"
        default: "NULL"
        }
      }
    }

    private static func tables(of world: World, _ mirror: Mirror) async throws -> [Table] {
      var tables: [Table] = []
      for name in world.documents.map(\.table) + world.others {
        let columns = try await mirror.objects(
          """
          SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
                 array_position(i.indkey::smallint[], a.attnum) AS key
          FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
          WHERE a.attrelid = '\(name)'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
          ORDER BY a.attnum
          """)
        let all = columns.map { (name: $0["name"]?.text ?? "", type: $0["type"]?.text ?? "", key: $0["key"]?.int) }
        let key = all.filter { $0.key != nil }.map(\.name)
        tables.append(
          Table(
            name: name, key: key.isEmpty ? all.map(\.name) : key,
            columns: all.filter { $0.key == nil && !key.isEmpty && !Table.times.contains($0.name) }
              .map { ($0.name, $0.type) },
            id: try #require(
              ["mal_id", "id", "attacking_type_id", "syncctl_key"].first { id in all.contains { $0.name == id } }),
            takesRows: world.others.contains(name)))
      }
      return tables
    }

    private static func rows(_ tables: [Table], _ mirror: Mirror) async throws -> [RowKey: String] {
      let query = tables.map { table in
        let key = table.key.map { "'\($0)', \($0)" }.joined(separator: ", ")
        let times = Table.times.sorted().joined(separator: ",")
        return """
          SELECT '\(table.name)' AS table, jsonb_build_object(\(key)) AS key,
                 md5((to_jsonb(t) - '{\(times)}'::text[])::text) AS row
          FROM \(table.name) t
          """
      }
      return try await mirror.objects(query.joined(separator: " UNION ALL ")).reduce(into: [:]) { rows, row in
        rows[RowKey(row["table"]?.text ?? "", row["key"])] = row["row"]?.text
      }
    }

    private static func run(_ world: World, _ mirror: Mirror) async throws {
      let streams = world.streams.flatMap { ["--stream", $0] }
      try await mirror.succeed(["run", "--source", world.source] + streams)
    }

    private static func differences(_ mirror: Mirror, _ world: World) async throws -> [JSONValue] {
      let result = try await mirror.syncctl("verify", "--source", world.source, "--format", "json")
      return try #require(try JSONValue(result.standardOutput)["differences"]?.array, "\(result.standardError)")
    }
  }
}
