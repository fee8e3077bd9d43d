import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DamagedSchemas {
    private static let damages = [
      "TRUNCATE sync.migration", "DROP SCHEMA sync CASCADE", "DROP SCHEMA jikan CASCADE", "DROP TABLE sync.migration",
      "ALTER TABLE sync.migration DROP COLUMN checksum", "ALTER TABLE sync.run DROP COLUMN pages CASCADE",
      "ALTER TABLE jikan.media DROP COLUMN title CASCADE", "DROP FUNCTION sync.take_permit",
      "DROP TABLE sync.rate_budget CASCADE", "ALTER TABLE jikan.media DROP CONSTRAINT media_pkey CASCADE",
    ]

    @Test(.ownersAlone("migrates"), arguments: 0..<2) func isAMatterOfTheSchema(part: Int) async throws {
      let upstream = Changing(JikanSettings(items: 50))
      try await Mirror.with(ScriptedUpstream { await GeneratedJikan(upstream.value).answer($0) }) { fresh, _ in
        // One of the damages drops `sync.take_permit`. A run calls this function only if a rate limit is set.
        let mirror = fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "1000/1s"])
        try await mirror.succeed("run", "--stream", "top-anime")
        upstream.value.seed += 1
        for place in stride(from: part, to: Self.damages.count, by: 2) {
          try await Self.check(Self.damages[place], in: try await mirror.copy())
        }
      }
    }

    private static func check(_ damage: String, in mirror: Mirror) async throws {
      _ = try await mirror.sql(damage)
      try await mirror.syncctl("run", "--stream", "top-anime", "--full").expectFailure(
        78, naming: "backup", isQuiet: false)
      for arguments in [["migrate"], ["rankings", "jikan"], ["status"], ["runs"]] {
        let answer = try await mirror.syncctl(arguments)
        let note: Comment = "\(arguments) after \(damage): \(answer.standardError)"
        #expect([.exit(0), .exit(78)].contains(answer.end), note)
        #expect(!answer.standardError.contains("no mirror yet"), note)
        let isHelpful = ["backup", "syncctl migrate brings"].contains(where: answer.standardError.contains)
        #expect(answer.end == .exit(0) || isHelpful, note)
      }
    }
  }
}
