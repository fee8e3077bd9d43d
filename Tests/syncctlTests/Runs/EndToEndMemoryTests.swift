import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import SyncProgram

extension EndToEnd {
  @Suite struct Memory {
    private static let mebibyte = 1 << 20
    private static let most = 256 * mebibyte
    /// By default, few bodies and fillings are tested, because a debug build is slow. `make torture` tests more.
    private static let more = ProcessInfo.processInfo.environment["SYNCCTL_TEST_BODIES"].flatMap { Int($0) }
    private static let bodies = more ?? 2
    private static let pageFillings = more == nil ? [Filling.text] : Filling.allCases
    private static let documentFillings: [(Filling, Int)] =
      [(.text, 31), (.objects, 3)] + (more == nil ? [] : [(.objects, 31), (.text, 3)])

    enum Filling: CaseIterable {
      case text, numbers, objects

      func value(bytes: Int) -> String {
        switch self {
        case .text: "\"" + String(repeating: "日本語 ", count: bytes / 10) + "\""
        case .numbers: "[0" + String(repeating: ",12345.5", count: bytes / 8) + "]"
        case .objects: "[0" + String(repeating: #",{"a":{}}"#, count: bytes / 9) + "]"
        }
      }
    }

    private static func run(_ mirror: Mirror, _ arguments: String...) async throws {
      let peak = Changing(0)
      let result = try await mirror.syncctl(["run"] + arguments) { peak.value = try await $0.peakMemory() }
      // Exit status 86 means that too few items were usable.
      #expect([.exit(0), .exit(1), .exit(86)].contains(result.end), "\(result.standardError)")
      tell("memory: \(arguments): peak \(peak.value / mebibyte) MiB, \(result.duration.inSeconds)")
      #expect(peak.value < most, "peak \(peak.value / mebibyte) MiB")
    }

    @Test(arguments: pageFillings)
    func largePages(_ filling: Filling) async throws {
      // A page has eight items of 3.5 MiB each, below the limit of 4 MiB per item.
      let value = filling.value(bytes: 7 * Self.mebibyte / 2)
      let pages = Self.bodies
      let upstream = ScriptedUpstream { request in
        let page = request.page
        guard page <= pages else { return .json(#"{"status":404}"#, status: 404) }
        let items = (page * 8 - 7...page * 8).map { #"{"mal_id":\#($0),"title":"T\#($0)","filling":\#(value)}"# }
        return .json(
          #"{"pagination":{"last_visible_page":\#(pages),"has_next_page":\#(page < pages)},"#
            + #""data":[\#(items.joined(separator: ","))]}"#)
      }
      try await Mirror.with(upstream) { mirror, _ in
        try await Self.run(mirror, "--stream", "top-anime")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.media") == "\(pages * 8)")
      }
    }

    @Test(arguments: documentFillings)
    func largeDocuments(_ filling: Filling, _ size: Int) async throws {
      let value = filling.value(bytes: size * Self.mebibyte)
      let small = HandmadePokeAPI(pokemon: 1)
      let ids = 1...Self.bodies * 2
      let upstream = ScriptedUpstream { request in
        let parts = request.path.split(separator: "/").dropFirst(2)
        guard parts.first == "move-ailment" else { return await small.answer(request) }
        guard let id = parts.dropFirst().first.flatMap({ Int($0) }) else {
          let rows = ids.map { #"{"name":"ailment-\#($0)","url":"/api/v2/move-ailment/\#($0)/"}"# }
          return .json(
            #"{"count":\#(ids.count),"next":null,"previous":null,"results":[\#(rows.joined(separator: ","))]}"#)
        }
        return .json(#"{"id":\#(id),"name":"ailment-\#(id)","filling":\#(value)}"#)
      }
      try await Mirror.with(upstream) { fresh, _ in
        let mirror = fresh.with(["SYNCCTL_POKEAPI_CONCURRENCY": "32"])
        try await Self.run(mirror, "--source", "pokeapi", "--stream", "move-ailment")
        let had = try await mirror.sql(
          "SELECT (SELECT count(*) FROM pokeapi.resource), max(quarantined) FROM sync.run WHERE stream = 'move-ailment'"
        )
        let refused = try await mirror.sql("SELECT item, reason, left(detail, 200) FROM sync.quarantine LIMIT 3")
        if size < 4 {
          #expect(had == "\(ids.count)|0", "\(refused)")
        } else {
          // The run stops as soon as more than half of the documents are in quarantine.
          let quarantined = try #require(Int(had.dropFirst("0|".count)))
          #expect(had.hasPrefix("0|") && quarantined > ids.count / 2, "\(had), \(refused)")
        }
      }
    }

    @Test("the rows of a long listing are not kept in memory, in any format")
    func longListings() async throws {
      try await Mirror.with(GeneratedJikan.plain(1)) { mirror, _ in
        try await mirror.succeed("migrate")
        let count = 30_000
        _ = try await mirror.sql(
          """
          WITH title AS (
            INSERT INTO jikan.media (kind, mal_id, title, title_english, raw, content_hash)
            SELECT 'anime', n, 'Title ' || n, repeat('日本語', 50), '{}', decode(repeat('00', 33), 'hex')
            FROM generate_series(1, \(count)) n
          )
          INSERT INTO jikan.ranking SELECT 'anime', 'all', 'none', n, n FROM generate_series(1, \(count)) n
          """)
        for format in OutputFormat.allCases {
          let peak = Changing(0)
          let listing = ["rankings", "anime", "--limit", "0", "--format", format.rawValue]
          let result = try await mirror.syncctl(listing) { peak.value = try await $0.peakOwnMemory() }
          #expect(result.end == .exit(0), "\(result.standardError)")
          let lines = result.standardOutput.utf8.count { $0 == UInt8(ascii: "\n") }
          #expect((count...count + 2).contains(lines), "\(format)")
          tell("memory: \(listing.joined(separator: " ")): peak \(peak.value / Self.mebibyte) MiB")
          #expect(peak.value < 24 * Self.mebibyte, "\(format): peak \(peak.value / Self.mebibyte) MiB")
        }
      }
    }
  }
}
