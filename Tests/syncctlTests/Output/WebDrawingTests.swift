import Foundation
import SyncPostgres
import SyncWeb
import Testing

@testable import SyncProgram

/// Plots, strips and words of pages.
@Suite("What pages draw and say") struct WebDrawingTests {
  private static let day: Int64 = 86_400
  /// 2026-11-01 at midnight UTC.
  private static let start: Int64 = 1_793_491_200

  private static func panel(_ values: [Double], unit: Double = 1) -> StepPlot.Panel {
    let steps = zip(Int64(0)..., values).map { index, value in
      StepPlot.Step(from: start + index * day, to: start + (index + 1) * day, value: value)
    }
    return StepPlot.Panel(title: "position", steps: steps, isInverted: true, unit: unit, height: 3)
  }

  private static func members(_ value: WebValue?) throws -> [String: WebValue] {
    guard case .object(let members)? = value else { throw TestFailure() }
    return members
  }

  private struct TestFailure: Error {}

  private static func panels(_ plot: WebValue?) throws -> [[String: WebValue]] {
    guard case .list(let panels)? = try members(plot)["panels"] else { throw TestFailure() }
    return try panels.map { try members($0) }
  }

  @Test("a value that never changed is a number with a sentence, and has no line")
  func constants() throws {
    let panels = try Self.panels(StepPlot(panels: [Self.panel([3, 3, 3])]).webValue("x"))
    let constant = try Self.members(panels[0]["constant"])
    #expect(constant["constantValue"] == "3" && panels[0]["plot"] == nil)
    #expect(constant["constantText"] == "The position has not changed since 2026-11-01.")
    #expect(StepPlot(panels: [Self.panel([])]).webValue("x") == nil)
  }

  @Test("a plot has round values, labels at changes with a distance, and a sentence for those who cannot see it")
  func axes() throws {
    let panels = try Self.panels(StepPlot(panels: [Self.panel([412, 412, 250, 120, 180])]).webValue("x"))
    let plot = try Self.members(panels[0]["plot"])
    guard case .list(let ticks)? = plot["ticks"] else { throw TestFailure() }
    #expect(try ticks.map { try Self.members($0)["tickText"] } == ["200", "300", "400"])
    guard case .text(let sentence)? = plot["plotText"] else { throw TestFailure() }
    #expect(sentence.contains("first 412, last 180, between 120 and 412, 3 changes"), "\(sentence)")
    let labels = Self.panel([412, 412, 250, 120, 180]).labelled(from: Self.start, to: Self.start + 5 * Self.day)
    #expect(labels.map(\.value) == [180, 120, 412, 250] && labels.map(\.place) == [100, 60, 0, 40])
    let many = Self.panel((1...200).map { Double($0) }).labelled(from: Self.start, to: Self.start + 200 * Self.day)
    #expect(many.count <= 6 && many.map(\.value).contains(200) && many.map(\.value).contains(1))
  }

  private static func rows(_ columns: [String], _ rows: [[String?]]) -> RowSet {
    RowSet(columns: columns.map { RowSet.Column(name: $0, type: .text) }, rows: rows)
  }

  @Test("a square of a command has the worst outcome of its streams, and the oldest square comes first")
  func strips() {
    let columns = ["source", "stream", "run_id", "started_at", "status", "held"]
    let strips = RunStrip.sources(
      Self.rows(
        columns,
        [
          ["b", "s", "2", "2026-11-02T00:00:00Z", "complete", "f"], ["b", "t", "2", nil, "partial", "f"],
          ["a", "s", "3", "2026-11-01T00:00:00Z", "failed", "t"], ["b", "s", "1", nil, "unproven", "f"],
        ]), most: 20)
    #expect(strips.map(\.name) == ["a", "b"] && strips[1].path == "/runs?source=b")
    #expect(strips[0].squares.map(\.outcome) == [.held] && strips[0].squares[0].word == "held")
    #expect(strips[1].squares.map(\.outcome) == [.well, .doubtful] && strips[1].squares.map(\.run) == ["1", "2"])
    #expect(strips[1].summary(now: 0) == "1 of 2 well, the latest: partial")
    let jobs = RunStrip.jobs(
      Self.rows(
        ["job", "status", "started_at", "run_id", "held"],
        [["d", "waiting", nil, nil, "f"], ["d", "timeout", nil, nil, nil], ["d", "done", nil, "7", "f"]]))
    #expect(jobs[0].squares.map(\.outcome) == [.well, .failed, .running])
    #expect(RunStrip.sources(Self.rows(columns, []), most: 20).isEmpty)
  }

  @Test("a better rank is a climb, and a higher price is a rise")
  func favorites() {
    func change(_ what: String, _ before: String?, _ after: String?, list: String? = nil) -> FavoriteChange {
      let columns = ["what", "before", "after", "list"].map { RowSet.Column(name: $0, type: .text) }
      return FavoriteChange(NamedRow(columns, [what, before, after, list]))
    }
    #expect(change("rank", "12", "5").mark == "▲ 7" && change("rank", "12", "5").isClimb)
    #expect(change("position", "1", "3", list: "top").mark == "▼ 2")
    #expect(change("position", "1", "3", list: "top").text == "position 1 → 3 in top")
    #expect(change("score", "8.7", "8.65").mark == "▼ 0.05" && change("price", "0", "1.5").mark == "▲ 1.50")
    #expect(change("left", nil, nil, list: "top").text == "left the list in top")
    #expect(change("left", nil, nil).mark == nil)
  }

  @Test(
    "the title of an item in quarantine is read from its beginning, which can be cut off",
    arguments: [
      (#"{"mal_id":"x","title":"Frieren \"2\"","url":"#, #"Frieren "2""#), (#"{"name": "ev\u00e9e"}"#, "evée"),
      (#"{"title":""#, nil), (#"{"title":null}"#, nil), ("", nil),
    ] as [(String, String?)])
  func titles(json: String, title: String?) { #expect(QuarantinedTitle.read(json) == title) }

  @Test("only words that are longer than a column are broken inside")
  func words() {
    #expect(Listing.hasLongWord(String(repeating: "Wide", count: 10)))
    #expect(!Listing.hasLongWord("a title of many words, which are all short") && !Listing.hasLongWord("short"))
    #expect(!Listing.hasLongWord("3f2a9d92-1111-4000-8000-000000000001"))
  }

  @Test("another content of the configuration file is noticed, and a new date alone is not")
  func configuration() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString).yaml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "a: 1".write(toFile: path, atomically: true, encoding: .utf8)
    let watch = ConfigurationWatch(path)
    #expect(!watch.hasChanged && !ConfigurationWatch(nil).hasChanged)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(!watch.hasChanged)
    try "a: 2".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(watch.hasChanged && !ConfigurationWatch(path).hasChanged)
    try FileManager.default.removeItem(atPath: path)
    #expect(watch.hasChanged)
  }
}
