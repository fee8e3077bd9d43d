import PostgresTestKit
import SyncCore
import SyncProgram
import Testing

@testable import ITunesSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct ITunesChartTableTests {
  private static let songs = ITunesCharts.Chart(country: "us", media: "music", feed: "most-played", type: "songs")

  private static func day(_ mirror: StoredMirror, _ ids: [Int64]) async throws {
    try await mirror.walk(.chart(), [ids.map { .entry($0) }])
  }

  /// Moves all times of the charts one day into the past.
  private static func sleep(_ mirror: StoredMirror) async throws {
    for (table, columns) in [("chart_history", ["valid_from", "valid_to"]), ("chart_publication", ["published_at"])] {
      let changes = columns.map { "\($0) = \($0) - interval '1 day'" }.joined(separator: ", ")
      try await mirror.execute("UPDATE itunes.\(table) SET \(changes)")
    }
  }

  @Test("three days, one of them with repeats: places, history and movers")
  func threeDays() async throws {
    try await Self.day(mirror, [1, 2, 3, 4, 5])
    try await Self.sleep(mirror)
    try await Self.day(mirror, [2, 1, 2, 3, 1, 6, 5])
    try await Self.sleep(mirror)
    try await Self.day(mirror, [6, 2, 1, 7])

    func ids(_ moment: Moment?) async throws -> [String?] {
      let snapshot = try await ITunesCharts.rows(Self.songs, limit: 100, asOf: moment, in: mirror.database)
      #expect(snapshot.page.rows.rows.map { $0[0] } == (1...snapshot.page.rows.rows.count).map { "\($0)" })
      return snapshot.page.rows.rows.map { $0[1] }
    }
    #expect(try await ids(nil) == ["6", "2", "1", "7"])
    let halfDays = try ["12h", "36h"].map { try #require(Moment($0)) }
    #expect(try await ids(halfDays[0]) == ["2", "1", "3", "6", "5"])
    #expect(try await ids(halfDays[1]) == ["1", "2", "3", "4", "5"])

    func movers(_ since: Moment, _ limit: Int = 10) async throws -> [[String?]] {
      let movers = try await ITunesCharts.movers(Self.songs, since: since, limit: limit, in: mirror.database)
      #expect(!movers.startsLater)
      #expect(
        movers.page.rows.columns.map(\.name) == [
          "id", "name", "artist_name", "position", "previous_position", "change", "movement", "section",
        ])
      return movers.page.rows.rows.map { [$0[0]] + $0[3...6] }
    }
    let yesterday: [[String?]] = [
      ["6", "1", "4", "3", "up"], ["3", nil, "3", nil, "left"], ["7", "4", nil, nil, "entered"],
      ["2", "2", "1", "-1", "down"], ["1", "3", "2", "-1", "down"], ["5", nil, "5", nil, "left"],
    ]
    #expect(try await movers(halfDays[0]) == yesterday)
    let before: [[String?]] = [
      ["6", "1", nil, nil, "entered"], ["3", nil, "3", nil, "left"], ["1", "3", "1", "-2", "down"],
      ["7", "4", nil, nil, "entered"], ["4", nil, "4", nil, "left"], ["5", nil, "5", nil, "left"],
    ]
    #expect(Set(try await movers(halfDays[1])) == Set(before))
    let two = try await ITunesCharts.movers(Self.songs, since: halfDays[0], limit: 2, in: mirror.database).page.rows
    #expect(two.rows.count == 2 && two.sectionTotals == ["climbed": 1, "fell": 2, "new": 1, "left": 2])
    let entry = try await ITunesCharts.entry(1, in: Self.songs, mirror.database)
    #expect(entry.rows.map { $0[0] } == ["1", "2", "3"])
    #expect(entry.rows.map { $0[2] == nil } == [false, false, true])
    #expect(try await ITunesCharts.entry(2, in: Self.songs, mirror.database).rows.map { $0[0] } == ["2", "1", "2"])
    try await mirror.expect("SELECT entries FROM itunes.chart_publication ORDER BY published_at", "5", "5", "4")
  }

  @Test("an entry without a readable id is not news: it keeps its place and is marked, and the others do not move")
  func unread() async throws {
    try await Self.day(mirror, [1, 2, 3, 4, 5])
    try await Self.sleep(mirror)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .chart(), fresh: true)
    try await walk.commit(1, [AppleRecord.entry(1)], rejected: .unusable([], unreadable: 1))
    try await walk.commit(2, [3, 4, 5].map { AppleRecord.entry($0) })
    _ = try await walk.finish(.inconsistent)
    let chart = "SELECT id, position, unread FROM itunes.chart_ranking ORDER BY position"
    try await mirror.expect(chart, "1|1|f", "2|2|t", "3|3|f", "4|4|f", "5|5|f")

    let yesterday = try #require(Moment("12h"))
    func movers(_ since: Moment) async throws -> RowSet {
      try await ITunesCharts.movers(Self.songs, since: since, limit: 10, in: mirror.database).page.rows
    }
    let moved = try await movers(yesterday)
    #expect(moved.rows.map { [$0[0]] + $0[3...6] } == [["2", nil, "2", nil, "unread"]])
    #expect(moved.sectionTotals == ["not read": 1])
    let shown = try await ITunesCharts.rows(Self.songs, limit: 100, in: mirror.database).page.rows
    #expect(shown.namedRows.filter { $0.isTrue("unread") }.map { $0["position"] } == ["2"])
    for (name, expected) in [
      ("chart-turnover", ["0", "0", "0", "0.0"]), ("chart-climbers", ["unread", nil, "2", nil]),
    ] {
      let report = try #require(Reports.all.first { $0.name == name })
      let row = try #require(try await Reports.run(report, in: mirror.database).rows.first)
      #expect(row[6...9].map(\.self) == expected, "\(name): \(row)")
    }

    try await Self.day(mirror, [1, 2, 3, 4, 5])
    try await mirror.expect(chart, "1|1|f", "2|2|f", "3|3|f", "4|4|f", "5|5|f")
    #expect(try await movers(yesterday).rows.isEmpty)
    let history = try await ITunesCharts.entry(2, in: Self.songs, mirror.database).namedRows
    #expect(history.map { [$0["position"], $0["unread"]] } == [["2", "f"], ["2", "t"], ["2", "f"]])
  }

  @Test("an unchanged chart writes nothing; charts do not affect each other, and share their items")
  func unchanged() async throws {
    let others = [StreamDescription.chart("albums"), .chart(country: "tw"), .chart(feed: "top-paid")]
    for other in others { try await mirror.walk(other, [[.entry(1), .entry(9)]]) }
    try await Self.day(mirror, [1, 2, 3])
    #expect(try await mirror.value("SELECT count(*) FROM itunes.chart_item WHERE country = 'us'") == "6")
    let versions = try await mirror.appleVersions()
    try await Self.day(mirror, [1, 2, 3])
    try await mirror.walk(.chart(), [[.entry(1), .entry(2)]], rejected: [3])
    #expect(try await mirror.appleVersions() == versions)
    try await Self.day(mirror, [2, 1])
    let kept = "SELECT count(*) FROM itunes.chart_history WHERE valid_to IS NOT NULL AND (country, feed, type) %"
    let place = "= ('us', 'most-played', 'songs')"
    #expect(try await mirror.value(kept.replacing("%", with: place)) == "3")
    #expect(try await mirror.value(kept.replacing("%", with: "<> ('us', 'most-played', 'songs')")) == "0")
    let history = try await mirror.rows("SELECT ctid::text, xmin::text FROM itunes.chart_history ORDER BY 1")
    try await mirror.walk(.chart(), [[.entry(2, ["name": #""Renamed""#]), .entry(1)]])
    #expect(try await mirror.rows("SELECT ctid::text, xmin::text FROM itunes.chart_history ORDER BY 1") == history)
    try await mirror.expect("SELECT name FROM itunes.chart_ranking WHERE feed = 'top-paid' AND id = 9", "Song 9")
    try await mirror.expect(
      "SELECT name FROM itunes.chart_ranking WHERE country = 'us' AND type = 'songs' AND position = 1 AND id = 2",
      "Renamed")
  }

  @Test("the list of charts, pages of one, and errors for what is missing")
  func questions() async throws {
    #expect(try await ITunesCharts.charts(in: mirror.database).isEmpty)
    try await Self.day(mirror, [5, 4, 3, 2, 1])
    try await mirror.walk(.chart("albums"), [[.entry(1)]])
    let charts = try await ITunesCharts.charts(in: mirror.database)
    #expect(charts.map(\.type) == ["albums", "songs"] && charts[1] == Self.songs)
    let page = try await ITunesCharts.rows(Self.songs, limit: 2, after: .id(4), in: mirror.database)
    #expect(page.page.rows.rows.map { $0[0...2] } == [["3", "3", "Song 3"], ["4", "2", "Song 2"]])
    let old = try #require(Moment("2d"))
    let first = try await ITunesCharts.rows(Self.songs, limit: 1, asOf: old, in: mirror.database)
    #expect(first.startsLater && first.page.rows.rows.map { $0[1] } == ["5"])
    let still = try await ITunesCharts.movers(Self.songs, since: old, limit: 1, in: mirror.database)
    #expect(still.startsLater && still.page.rows.rows.isEmpty && still.publishedAt == first.publishedAt)
    let unknown = ITunesCharts.Chart(country: "xx", media: "music", feed: "top", type: "songs")
    for ask in [
      { _ = try await ITunesCharts.rows(unknown, limit: 1, in: mirror.database) },
      { _ = try await ITunesCharts.rows(Self.songs, limit: 1, after: .id(99), in: mirror.database) },
      { _ = try await ITunesCharts.movers(unknown, since: old, limit: 1, in: mirror.database) },
      { _ = try await ITunesCharts.entry(99, in: Self.songs, mirror.database) },
    ] as [() async throws -> Void] { #expect(await syncError(ask)?.code == .missing) }
  }

  @Test("the pages of one walk are of one publication")
  func pages() async throws {
    try await Self.day(mirror, [1, 2, 3, 4, 5])
    func page(_ start: PageStart?) async throws -> ITunesCharts.Snapshot {
      try await ITunesCharts.rows(Self.songs, limit: 2, after: start, in: mirror.database)
    }
    let first = try await page(nil)
    #expect(first.page.rows.rows.map { $0[1] } == ["1", "2"] && first.isLatest)
    #expect(try await page(.offset(3)).page.rows.rows.map { $0[1] } == ["4", "5"])
    let cursor = try #require(first.page.next)
    try await Self.day(mirror, [6, 5, 4, 3, 1, 2])
    let second = try await page(.cursor(cursor))
    #expect(second.page.rows.rows.map { $0[0...1] } == [["3", "3"], ["4", "4"]] && !second.isLatest)
    let third = try await page(second.page.next.map { .cursor($0) })
    #expect(third.page.rows.rows.map { $0[1] } == ["5"] && third.page.next == nil)
    #expect(try await page(.id(4)).page.rows.rows.map { $0[1] } == ["3", "1"])
    let albums = ITunesCharts.Chart(country: "us", media: "music", feed: "most-played", type: "albums")
    await expectError(.usage) {
      _ = try await ITunesCharts.rows(albums, limit: 2, after: .cursor(cursor), in: mirror.database)
    }
    try await mirror.execute("DELETE FROM itunes.chart_publication WHERE entries = 5")
    #expect(await syncError { _ = try await page(.cursor(cursor)) }?.code == .missing)
  }

  @Test("the reports of the charts")
  func reports() async throws {
    try await Self.day(mirror, [1, 2, 3, 4, 5])
    try await Self.day(mirror, [2, 1, 5, 4, 3, 6])
    let artists = try #require(Reports.all.first { $0.name == "chart-artists" })
    let rows = try await Reports.run(artists, in: mirror.database).rows
    #expect(
      rows == [
        ["us", "songs", "1", "Artist 2", "2", "1", "Song 2"], ["us", "songs", "2", "Artist 1", "2", "2", "Song 1"],
        ["us", "songs", "3", "Artist 0", "2", "5", "Song 3"],
      ])
    let climbers = try #require(Reports.all.first { $0.name == "chart-climbers" })
    let moved = try await Reports.run(climbers, in: mirror.database).rows
    #expect(moved.map { $0[4] } == ["Song 5", "Song 3", "Song 2", "Song 1", "Song 6"])
  }
}
