import ArgumentParser
import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import ITunesSource
@testable import JikanSource
@testable import PokeAPISource
@testable import SyncProgram

extension EndToEnd {
  @Suite struct ListingWidths {
    private static let commands = [
      ["status"], ["runs"], ["runs", "show"], ["report"], ["report", "freshness"], ["report", "my-pokedex"],
      ["report", "chart-artists"], ["report", "chart-climbers"], ["report", "strongest-pokemon-by-type"],
      ["favorites", "list"], ["jobs", "list"], ["config"], ["itunes", "history"],
    ]

    @Test func noLineIsWiderThanTheTerminalAndNoWordIsBroken() async throws {
      let upstream = SideBySideUpstream(
        [.pokeAPI: HandmadePokeAPI(pokemon: 40), .iTunes: GeneratedITunes()],
        other: GeneratedJikan.plain(100))
      try await Mirror.with(upstream) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_ITUNES_CHARTS_BASE_URL": server.baseURL])
        let file = try mirror.home.write(Self.configuration(mirror.database.url), to: "syncctl.yaml")
        let asUser = mirror.asOwner.with(["SYNCCTL_CONFIG": file])
        try await asUser.succeed("run", "--source", "all")
        let id = try await mirror.sql("SELECT mal_id FROM jikan.ranking WHERE kind = 'anime' AND position = 1")
        for arguments in [
          ["worker", "--once"],
          ["favorites", "add", "jikan", "anime", id, "--note", "again and again in the winter of every year"],
          ["favorites", "add", "pokeapi", "pokemon", "1", "--collection", "owned"],
          ["itunes", "search", "周杰倫", "--country", "tw"],
        ] { try await asUser.succeed(arguments) }
        for (name, listing) in try await listings(file, id) {
          #expect(!listing.rows.isEmpty || name == "report chart-climbers", "\(name)")
          check(listing, name)
        }
      }
    }

    private static func configuration(_ url: String) -> String {
      """
      database: { url: "\(url)" }
      jobs:
        - { name: daily, source: jikan, streams: [top-anime, top-manga], schedule: "15 3 * * *", time_zone: Asia/Tokyo }
        - { name: charts, source: itunes, schedule: every 6h, timeout: 10m }
      """
    }

    private func listings(_ file: String, _ id: String) async throws -> [(String, Listing)] {
      var listings: [(String, Listing)] = []
      for words in Self.commands + [["rankings", "history", "anime", id]] {
        let command = try #require(try Syncctl.parseAsRoot(words + ["--config", file]) as? any ListingCommand)
        listings.append((words.joined(separator: " "), try await command.listing()))
      }
      let configuration = try Configuration.load(configFlag: file, environment: [:])
      listings.append(("worker --list", WorkerCommand.listing(configuration)))
      listings += try await Context(configuration: configuration).withExistingMirror { database in
        let top = JikanRankings.Question(kind: "anime", limit: 100)
        let pokemon = try await Pokedex.list(Pokedex.Question(order: .id, languages: ["ja"]), in: database).rows
        let chart = try await ITunesChartChoice(type: "songs", country: "us", feed: nil).chart(in: database)
        return [
          (
            "rankings jikan",
            RankingsJikanCommand.listing(
              try await JikanRankings.page(top, in: database).rows, emptyMessage: "")
          ),
          ("pokedex list", .pokemon(pokemon, emptyMessage: "", showsForms: true)),
          (
            "rankings itunes",
            .itunesChart(
              try await ITunesCharts.rows(chart, limit: 100, after: nil, asOf: nil, in: database).page.rows,
              emptyMessage: "")
          ),
        ]
      }
      return listings
    }

    private func check(_ listing: Listing, _ name: String) {
      let listing = listing.form(in: .table)
      let named = listing.layout.hidden.union(listing.layout.leaving.joined())
      // `rankings itunes` and the chart's movers share a layout, but only the movers have these columns.
      let more = name == "rankings itunes" ? ["change", "movement", "section"] : []
      let unknown = named.subtracting(listing.columns.map(\.key) + more)
      #expect(unknown.isEmpty, "\(name) has no columns \(unknown)")
      let words = Set(text(listing, width: nil).flatMap(Self.words))
      for width in stride(from: 60, through: 200, by: testFactor > 1 ? 1 : 4) {
        for line in text(listing, width: width) {
          #expect(TerminalText.displayWidth(line) <= width, "\(name) at \(width): \(line)")
          let broken = Self.words(line).filter { word in
            // In a narrow column, a word of more than 12 characters is allowed to break.
            !words.contains(word) && !word.hasSuffix("…") && !words.contains { $0.count > 12 && $0.contains(word) }
          }
          #expect(broken.isEmpty, "\(name) at \(width): \(broken) in \(line)")
        }
      }
    }

    private func text(_ listing: Listing, width: Int?) -> [String] {
      listing.text(as: .table, RenderingOptions(width: width)).split(separator: "\n").map(String.init)
    }

    private static func words(_ line: String) -> [String] { line.split { " /,;:=?&".contains($0) }.map(String.init) }
  }
}
