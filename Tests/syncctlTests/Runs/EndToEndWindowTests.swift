import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Lists that are replaced every quarter, and lists that can be empty for a day.
  @Suite struct Windows {
    /// `/seasons/now` in the services' format: all entries are of one season, except some that continue.
    private struct Season: Sendable {
      var ids: Range<Int> = 0..<0
      var season = ""

      func answer(_ request: SimulatedRequest) -> SimulatedAnswer {
        guard request.path.hasSuffix("/seasons/now"), request.page == 1 else {
          return .json(#"{"status":404}"#, status: 404)
        }
        let items = ids.map { id in
          #"{"mal_id": \#(id), "title": "Title \#(id)", "type": "TV", \#(id % 5 == 0 ? Self.old : season)}"#
        }
        return .json(
          """
          {"pagination": {"last_visible_page": 1, "has_next_page": false, "items": {"total": \(items.count)}}, \
          "data": [\(items.joined(separator: ","))]}
          """)
      }

      private static let old = #""season": "spring", "year": 1999"#
    }

    /// The calendar's season, or the previous one.
    private static func season(before: Bool = false) -> (text: String, members: String) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let now = calendar.dateComponents([.year, .month], from: Date())
      let count = (now.year ?? 0) * 4 + ((now.month ?? 1) - 1) / 3 - (before ? 1 : 0)
      let (year, name) = (count / 4, ["winter", "spring", "summer", "fall"][count % 4])
      return ("\(year) \(name)", #""season": "\#(name)", "year": \#(year)"#)
    }

    @Test func aChangeOfSeasonIsPublishedAndTheCalendarOnlyWarns() async throws {
      let (old, new) = (Self.season(before: true), Self.season())
      let list = Changing(Season(ids: 1..<26, season: new.members))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        let run = ["run", "--stream", "seasons:now", "--format", "json"]
        func sync() async throws -> ProgramResult { try await mirror.syncctl(run) }
        #expect(try await sync().end == .exit(0))

        // The whole list is replaced, and the service is a season late.
        list.value = Season(ids: 101..<126, season: old.members)
        let late = try await sync()
        #expect(late.end == .exit(0), "\(late.standardError)")
        let told = "most entries are of \(old.text) (20 of 25), but by the calendar it is \(new.text)"
        #expect(late.standardError.contains("warning: seasons:now: \(told)"), "\(late.standardError)")
        let report = try #require(try mirror.runs(late)["seasons:now"])
        #expect(report["status"] == .string("complete") && report["warning"]?.text?.hasPrefix(told) == true)
        let shown = try await mirror.syncctl("runs", "show", "--format", "json")
        #expect(shown.standardOutput.contains(told), "\(shown.standardOutput)")
        #expect(try await mirror.sql("SELECT count(*), min(mal_id) FROM jikan.season_entry") == "25|101")

        let logged = try await mirror.syncctl("run", "--stream", "seasons:now", "--log-format", "json")
        #expect(logged.standardError.contains(told), "\(logged.standardError)")

        list.value = Season(ids: 201..<206, season: new.members)
        let quiet = try await sync()
        #expect(quiet.end == .exit(0) && !quiet.standardError.contains("warning"), "\(quiet.standardError)")

        list.value = Season()
        let empty = try await sync()
        #expect(empty.end == .exit(86) && empty.standardError.contains("the list is empty"), "\(empty.standardError)")
        list.value = Season(ids: 301..<326, season: #""mal_id": "none""#)
        let unreadable = try await sync()
        #expect(unreadable.end == .exit(86), "\(unreadable.standardError)")
        #expect(try await mirror.sql("SELECT count(*), min(mal_id) FROM jikan.season_entry") == "5|201")
      }
    }

    @Test(arguments: [JikanSettings.PastTheEnd.notFound, .empty])
    func anEmptyNarrowedListIsCompleteAndWaitsForASecondAnswer(_ pastTheEnd: JikanSettings.PastTheEnd) async throws {
      var settings = JikanSettings(items: 400)
      settings.repeats = 0
      settings.pastTheEnd = pastTheEnd
      let jikan = GeneratedJikan(settings, edits: JikanEdits(empty: ["cm"]))
      try await Mirror.with(jikan) { mirror, _ in
        let count = "SELECT count(*) FROM jikan.ranking WHERE subtype = 'cm'"
        func expectEmpty(_ entries: String, warns: Bool, isDry: Bool = false) async throws {
          let result = try await mirror.succeed(
            ["run", "--stream", "top-anime:cm", "--format", "json"] + (isDry ? ["--dry-run"] : []))
          let run = try #require(try mirror.runs(result)["top-anime:cm"])
          #expect(run["status"] == .string("complete"))
          #expect(run["certificate"]?["complete"] == .bool(true) && run["certificate"]?["distinct_keys"]?.int == 0)
          #expect((run["warning"]?.text?.contains("the list is empty") ?? false) == warns)
          #expect(result.standardError.contains("warning: top-anime:cm: the list is empty") == warns)
          #expect(try await mirror.sql(count) == entries)
        }
        // A list that was never published has nothing to lose.
        try await expectEmpty("0", warns: false, isDry: true)
        try await expectEmpty("0", warns: false)
        #expect(try await mirror.sql("SELECT entries FROM sync.publication WHERE list = 'top-anime:cm'") == "0")

        jikan.edits = JikanEdits()
        #expect(try await mirror.syncctl("run", "--stream", "top-anime:cm").end == .exit(0))
        let entries = try await mirror.sql(count)
        try #require((1..<25).contains(Int(entries) ?? 0))
        jikan.edits = JikanEdits(empty: ["cm"])
        try await expectEmpty(entries, warns: true, isDry: true)
        #expect(try await mirror.sql("SELECT count(empty_since) FROM sync.stream_state") == "0")
        try await expectEmpty(entries, warns: true)
        try await expectEmpty(entries, warns: true)
        _ = try await mirror.sql("UPDATE sync.stream_state SET empty_since = empty_since - interval '20 hours'")
        try await expectEmpty(entries, warns: false, isDry: true)
        try await expectEmpty("0", warns: false)
        try await expectEmpty("0", warns: false)
      }
    }

    @Test func aServiceThatHasNothingAtAllIsNotBelieved() async throws {
      // 404 for every list: the endpoint does not exist.
      try await Mirror.with(ScriptedUpstream { Season().answer($0) }) { mirror, _ in
        for stream in ["top-anime:cm", "top-anime:upcoming", "top-anime", "seasons:2026:fall", "schedules:other"] {
          let result = try await mirror.syncctl("run", "--stream", stream)
          #expect(result.end == .exit(69), "\(stream): \(result.standardError)")
        }
        #expect(try await mirror.sql("SELECT count(*) FROM sync.publication") == "0")
      }
    }

    @Test func aRunThatTakesTooLongIsStoppedAndResumed() async throws {
      let gate = Gate()
      try await Mirror.with(GeneratedJikan.plain(200).waiting(from: 4, at: gate)) { mirror, _ in
        defer { gate.open() }
        let stopped = try await mirror.with(["SYNCCTL_RUN_TIMEOUT": "3s"]).syncctl(
          "run", "--stream", "top-anime", "--format", "json")
        #expect(stopped.end == .exit(75), "\(stopped.standardError)")
        #expect(stopped.standardError.contains("stopped after 3 s, the timeout of a run (runs.timeout)"))
        #expect(stopped.standardError.contains("run it again to resume"))
        let run = try #require(try mirror.runs(stopped)["top-anime"])
        #expect(run["status"] == .string("interrupted") && run["pages"]?.int == 3)
        gate.open()
        let resumed = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        #expect(try mirror.runs(resumed)["top-anime"]?["pages"]?.int == 5)
      }
    }
  }
}
