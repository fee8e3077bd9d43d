import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct ReportRuns {
    private static func with(_ body: (Mirror) async throws -> Void) async throws {
      try await Mirror.with(try HandmadeList.numbered(1...5).upstream) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        try await body(mirror)
      }
    }

    @Test func parametersAndOptionsStandInAnyPlace() async throws {
      try await Self.with { mirror in
        let expected = try await mirror.syncctl("report", "hidden-gems", "--limit", "2", "--format", "json")
        #expect(expected.end == .exit(0) && expected.standardOutput.contains(#""mal_id""#), "\(expected.standardError)")
        for words in [
          ["report", "--format", "json", "hidden-gems", "--limit=2"],
          ["report", "hidden-gems", "--format=json", "--limit", "2", "--time-limit", "5s"],
          ["report", "hidden-gems", "--kind", "anime", "--limit", "2", "--min-score=8", "--format", "json"],
        ] {
          let result = try await mirror.syncctl(words)
          #expect(result.standardOutput == expected.standardOutput, "\(words): \(result.standardError)")
        }
        let list = try JSONValue(try await mirror.syncctl("report", "--format", "json").standardOutput)
        let gems = try #require(list.array?.first { $0["name"] == .string("hidden-gems") })
        #expect(gems["parameters"]?.array?.first?["name"] == .string("kind"))
        for words in [["report", "hidden-gems", "--help"], ["report", "-h", "hidden-gems"]] {
          let help = try await mirror.syncctl(words)
          #expect(help.end == .exit(0) && help.standardOutput.contains("--min-scored-by <n>"))
        }
        let whole = try await mirror.syncctl("report", "--help")
        #expect(whole.end == .exit(0) && whole.standardOutput.contains("--time-limit <time>"))
      }
    }

    @Test func wrongWordsAreRefused() async throws {
      let mirror = try await Mirror.make()
      for (words, hint) in [
        (["hidden-gems", "--limt", "5"], "did you mean --limit?"), (["hidden-gems", "--limit", "x"], "--limit: "),
        (["hidden-gems", "--limit", "100001"], "out of range"), (["hidden-gems", "--limit"], "needs a value"),
        (["top-by-genre", "--genre", "--limit", "3"], "--genre needs a value"),
        (["hidden-gems", "--kind", "book"], "anime, manga"), (["movers", "--since", "soon"], "not a time"),
        (["hidden-gems", "5"], "unexpected word 5"), (["hidden-gems", "--limit=1", "--limit=2"], "given twice"),
        (["freshness", "--limit", "5"], "it has no parameters"), (["--limit", "5", "hidden-gems"], "must come before"),
        (["type-chart", "--generation", "0"], "1 to 1000"),
        (["unused-type-pairs", "--forms", "maybe"], "true or false"),
        (["none.sql"], "cannot be opened"), (["hidden-gems", "--time-limit", "0s"], "--time-limit"),
        (["hidden-gems", "--formatt", "json"], "did you mean --format?"),
      ] { try await mirror.syncctl(["report"] + words).expectFailure(64, naming: hint) }
    }

    @Test func filesOfTheUserOnlyRead() async throws {
      try await Self.with { mirror in
        let owner = mirror.asOwner
        func report(_ text: String, _ words: String...) async throws -> ProgramResult {
          let file = try mirror.home.write(text, to: "mine.sql")
          return try await owner.syncctl(["report", file] + words)
        }
        let text = "-- parameter: n integer\nSELECT mal_id, ':n' AS l FROM jikan.anime WHERE mal_id > :n ORDER BY 1;\n"
        let rows = try await report(text, "--n", "3", "--format", "csv")
        #expect(rows.standardOutput == "mal_id,l\r\n4,:n\r\n5,:n\r\n", "\(rows.standardError)")
        try await report(text).expectFailure(64, naming: "needs --n")
        try await report("SELECT 1,\n  nonsense").expectFailure(64, naming: "line 2, column 3")
        try await report("SELECT 1; SELECT 2").expectFailure(64, naming: "multiple commands")
        try await report("UPDATE sync.run SET status = 'failed'").expectFailure(64, naming: "line 1, column 1")
        try await report("SELECT sync.drop_old(1)").expectFailure(64, naming: "read-only transaction")
        try await report("SELECT pg_sleep(60)", "--time-limit", "1s").expectFailure(75, naming: "--time-limit")
        try await report(String(repeating: " ", count: 1_100_000)).expectFailure(64, naming: "longer than")
        let hostile = try await report("SELECT E'\\x1b[2J' AS \"a\u{1B}[2Jb\"")
        #expect(hostile.end == .exit(0) && !hostile.standardOutput.contains("\u{1B}"))
        #expect(try await mirror.sql("SELECT count(*) FROM sync.run") == "1")
      }
    }
  }
}
