import Foundation
import SyncCore
import Testing

@testable import SyncProgram

@Suite struct OutputProgressTests {
  private let size = TerminalSize(columns: 100, rows: 24)

  @Test(arguments: [
    (100, "jikan  [##------------------]  152/1,216 requests  0/2 streams  7,600 rows  ETA 18 min 35 s"),
    (80, "jikan  [#---------]  152/1,216 requests  7,600 rows  ETA 18 min 35 s"),
    (60, "jikan  152/1,216 requests  7,600 rows  ETA 18 min 35 s"), (44, "jikan  152/1,216 requests  ETA 18 min 35 s"),
    (40, "jikan  152/1,216 requests"), (24, "jikan  152/1,216 reque…"),
  ])
  func barFitsTheWidth(columns: Int, expected: String) {
    var state = planned(.bars, ["top-anime": 608, "top-manga": 608])
    _ = state.handle(event(.started(page: 0)), now: .zero)
    _ = state.handle(page(152, of: 608, rows: 7600), now: .seconds(100))
    let lines = state.block(size: TerminalSize(columns: columns, rows: 24), now: .seconds(100))
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) < columns })
    #expect(lines == [expected])
  }

  @Test func aWideLineNamesTheStreamAndTheRate() {
    var state = planned(.bars, ["top-anime": 608, "top-manga": 608])
    _ = state.handle(page(152, of: 608, rows: 7600), now: .seconds(100))
    let line =
      "jikan  [##------------------]  152/1,216 requests  0/2 streams  top-anime 152/608  7,600 rows  "
      + "76.0 rows/s  ETA 18 min 35 s"
    #expect(state.block(size: TerminalSize(columns: 140, rows: 24), now: .seconds(100)) == [line])
  }

  @Test("a resumed walk counts and times its own requests only")
  func resumedWalk() {
    var state = planned(.bars, ["top-anime": 308], limits: [])
    _ = state.handle(event(.started(page: 300)), now: .zero)
    _ = state.handle(page(310, of: 608, rows: 500, requests: 10), now: .seconds(10))
    let line = state.block(size: size, now: .seconds(10))[0]
    #expect(line.contains("10/308 requests") && line.contains("ETA 4 min 58 s"), "\(line)")
    let end = state.handle(event(.finished(status: "partial", pages: 10, requests: 10)), now: .seconds(10))
    #expect(end.contains(.line("top-anime: partial, 10 pages, 500 rows in 10.0 s")))
  }

  @Test("the total is at least what is known, and grows with the list's claim")
  func totals() {
    var state = planned(.bars, ["top-anime": 10], streams: ["top-anime", "top-manga", "reviews"])
    _ = state.handle(page(1, of: 12, rows: 25), now: .seconds(10))
    var line = state.block(size: size, now: .seconds(10))[0]
    #expect(line.hasPrefix("jikan  [--------------------]  1 request  0/3 streams") && line.contains("ETA at least "))
    _ = state.handle(event(.finished(status: "complete", pages: 12, requests: 12)), now: .seconds(20))
    line = state.block(size: size, now: .seconds(20))[0]
    #expect(line.hasPrefix("jikan  [######--------------]  12 requests  1/3 streams") && !line.contains("ETA"))
    for stream in ["top-manga", "reviews"] {
      let step = ProgressEvent.Step.pageDone(page: 1, lastPage: 2, rows: 5, requests: 1)
      _ = state.handle(ProgressEvent(source: "jikan", stream: stream, step: step), now: .seconds(30))
    }
    #expect(state.block(size: size, now: .seconds(30))[0].contains("14/16 requests  1/3 streams"))
  }

  @Test("with a limit of pages, the total is that limit")
  func limitedPages() {
    var state = ProgressState(mode: .bars, namesSources: false)
    let plan = ProgressPlan(source: "jikan", streams: ["top-anime"], requests: [:], limits: [], maxPages: 5)
    state.begin(plan, now: .zero)
    _ = state.handle(page(3, of: 608, rows: 75), now: .seconds(3))
    #expect(state.block(size: size, now: .seconds(3))[0].contains("3/5 requests"))
  }

  @Test func rateIsThatOfTheLastMinute() {
    var progress = SourceProgress("jikan", now: .zero)
    for second in 1...600 {
      let rows = second <= 500 ? second * 100 : 50_000 + (second - 500)
      progress.advance("s", now: .seconds(second)) {
        $0.pageDone(second, of: nil, maxPages: nil, rows: rows, requests: second)
      }
    }
    #expect(progress.rowRate(now: .seconds(600)) == 1)
    #expect(progress.remaining(now: .seconds(600)) == nil)
  }

  @Test func drawsAtMostTenTimesASecond() {
    var state = ProgressState(mode: .bars, namesSources: false)
    var drawings = 0
    for index in 1...1000 {
      drawings += state.handle(page(index, of: 1000, rows: index), now: .milliseconds(index)).count
    }
    #expect(drawings == 10)
  }

  @Test func finishedStreamLeavesOneLine() {
    var state = planned(.bars, ["top-anime": 608])
    _ = state.handle(event(.started(page: 0)), now: .zero)
    _ = state.handle(page(608, of: 608, rows: 30_377), now: .seconds(611))
    #expect(
      state.handle(event(.finished(status: "complete", pages: 608, requests: 608)), now: .seconds(612)) == [
        .redraw, .line("top-anime: complete, 608 pages, 30,377 rows in 10 min 12 s"),
      ])
    #expect(state.block(size: size, now: .seconds(612))[0].contains("[####################]  608/608 requests"))
    state.end("jikan")
    #expect(state.block(size: size, now: .seconds(612)).isEmpty)
    var idle = ProgressState(mode: .lines, namesSources: true)
    #expect(idle.handle(event(.finished(status: "unchanged")), now: .zero) == [.line("jikan/top-anime: unchanged")])
  }

  @Test func waitingIsShownUntilItIsOver() {
    var state = ProgressState(mode: .bars, namesSources: false)
    _ = state.handle(page(3, of: 608, rows: 150), now: .zero)
    #expect(state.handle(wait(.seconds(1)), now: .seconds(1)).isEmpty)
    #expect(state.handle(wait(.seconds(12)), now: .seconds(2)) == [.redraw])
    #expect(state.block(size: size, now: .seconds(4))[0].contains("3/608  waiting for a request slot until 04:51"))
    #expect(!state.block(size: size, now: .seconds(14))[0].contains("waiting"))
  }

  /// The program draws nothing during a wait, so the text must not depend on the current time.
  @Test func aWaitNamesTimesOfDayInAnyWidth() {
    let text = "waiting for a request slot until 04:51"
    let end = Date(timeIntervalSince1970: 1_000_000)
    for (columns, expected) in [
      // 456 requests are left at 1.52 requests per second, which takes 300 s after the wait.
      (80, "jikan  152/608  \(text)  ETA \(HumanFormat.clock(end + 300))"), (60, "jikan  152/608  \(text)"),
      (50, "jikan  \(text)"), (30, "jikan  waiting for a request…"),
    ] {
      var state = planned(.bars, ["top-anime": 608], limits: [])
      _ = state.handle(event(.started(page: 0)), now: .zero)
      _ = state.handle(page(152, of: 608, rows: 7600), now: .seconds(100))
      _ = state.handle(wait(.seconds(600), end: end), now: .seconds(100))
      for now in [100, 650] {
        let lines = state.block(size: TerminalSize(columns: columns, rows: 24), now: .seconds(now))
        #expect(lines == [expected] && TerminalText.displayWidth(expected) < columns)
      }
    }
  }

  @Test("each source has one bar, whatever the unit of its streams")
  func eachSourceHasItsBar() {
    var state = ProgressState(mode: .bars, namesSources: true)
    _ = state.handle(
      ProgressEvent(
        source: "jikan", stream: "top-anime", step: .pageDone(page: 5, lastPage: 10, rows: 50, requests: 5)),
      now: .zero)
    _ = state.handle(
      ProgressEvent(
        source: "pokeapi", stream: "pokemon", step: .documentsDone(fetched: 4, of: 10, rows: 50, requests: 5)),
      now: .zero)
    #expect(
      state.block(size: TerminalSize(columns: 60, rows: 24), now: .seconds(10)) == [
        "jikan    5/10 requests  top-anime 5/10  50 rows  ETA 10.0 s",
        "pokeapi  5/11 requests  pokemon 4/10  50 rows  ETA 12.0 s",
      ])
  }

  @Test func eventsOfRunsNameTheEndOfAWait() throws {
    let stream = StreamID(source: "jikan", name: "top-anime")
    let start = Date(timeIntervalSince1970: 0)
    let error = SyncError(.upstream, "http://127.0.0.1/v4 answered 503")
    for (wait, duration, text) in [
      (Wait.permit(reason: "waiting for a request slot", .seconds(90)), 90, "waiting for a request slot until "),
      (.retry(error, .seconds(9)), 9, "waiting until "),
    ] {
      let end = start + Double(duration)
      let clock = HumanFormat.clock(end, now: start, hasSeconds: duration < 60)
      let whole = text + clock + (duration < 60 ? ": answered 503" : "")
      let step = ProgressEvent.Step.waiting(duration: .seconds(duration), end: end, text: whole)
      #expect(
        ProgressEvent(.waiting(stream, wait), at: start)
          == ProgressEvent(source: "jikan", stream: "top-anime", step: step))
    }
  }

  @Test func aRunThatAGuardStoppedIsHeld() {
    let stream = StreamID(source: "jikan", name: "top-anime")
    for (code, status) in [(SyncError.Code.guarded, "held"), (.upstream, "failed")] {
      let report = RunReport(
        id: "1", stream: stream, status: .failed, counters: RunCounters(), walBytes: 0, duration: .zero,
        certificate: nil, error: SyncError(code, "x"))
      #expect(
        ProgressEvent(.finished(report), at: Date())
          == ProgressEvent(source: "jikan", stream: "top-anime", step: .finished(status: status)))
    }
  }

  @Test func noPageIsBeyondTheLastOne() {
    var (lines, bars) = (
      ProgressState(mode: .lines, namesSources: false), ProgressState(mode: .bars, namesSources: false)
    )
    _ = lines.handle(page(1, of: 1, rows: 25), now: .zero)
    _ = bars.handle(page(1, of: 1, rows: 25), now: .zero)
    let line = lines.handle(page(2, of: 1, rows: 50), now: .seconds(20))
    #expect(line == [.line("jikan: 2 requests, top-anime 2, 50 rows, 2.5 rows/s")])
    _ = bars.handle(page(2, of: 1, rows: 50), now: .seconds(20))
    #expect(
      bars.block(size: size, now: .seconds(20)) == ["jikan  2 requests  top-anime 2  50 rows  2.5 rows/s"])
  }

  @Test func manySourcesNeverFillTheScreen() {
    var state = ProgressState(mode: .bars, namesSources: true)
    for index in 0..<48 {
      _ = state.handle(
        ProgressEvent(source: SourceID(rawValue: "source-\(index)"), stream: "s", step: .started(page: 0)), now: .zero)
    }
    for rows in [1, 2, 5, 24, 100] {
      let lines = state.block(size: TerminalSize(columns: 80, rows: rows), now: .seconds(1))
      #expect(lines.count <= max(1, min(12, rows - 1)))
    }
    #expect(state.block(size: size, now: .zero).last == "… and 37 more")
  }

  @Test func plainLinesComeFirstThenEveryTenSecondsOrTenth() {
    var state = planned(.lines, ["top-anime": 600])
    var lines: [String] = []
    func take(_ actions: [ProgressState.Action]) { for case .line(let line) in actions { lines.append(line) } }
    take(state.handle(event(.started(page: 0)), now: .zero))
    for index in 1...600 { take(state.handle(page(index, of: 600, rows: index * 50), now: .seconds(index))) }
    #expect(lines.count == 60)
    #expect(lines.first == "jikan: 1/600 requests, top-anime 1/600, 50 rows, 50.0 rows/s, ETA 9 min 59 s")
    #expect(lines[1].hasPrefix("jikan: 11/600 requests, top-anime 11/600, 550 rows"))

    lines = []
    var fast = planned(.lines, ["top-anime": 20])
    for index in 1...20 { take(fast.handle(page(index, of: 20, rows: index), now: .seconds(index * 2))) }
    let pages = lines.map { $0.split(separator: " ")[1] }
    #expect(pages == ["1/20", "3/20", "5/20", "7/20", "9/20", "11/20", "13/20", "15/20", "17/20", "19/20"])

    lines = []
    var burst = planned(.lines, ["top-anime": 500])
    _ = burst.handle(event(.started(page: 0)), now: .zero)
    for index in 1...500 { take(burst.handle(page(index, of: 500, rows: index), now: .milliseconds(index))) }
    take(burst.handle(event(.finished(status: "complete", pages: 500, requests: 500)), now: .milliseconds(500)))
    #expect(lines.count == 2)
    #expect(lines.last == "top-anime: complete, 500 pages, 500 rows in 500 ms")

    lines = []
    var short = planned(.lines, ["top-anime": 13])
    _ = short.handle(event(.started(page: 0)), now: .zero)
    for index in 1...12 { take(short.handle(page(index, of: 13, rows: index), now: .milliseconds(index))) }
    take(short.handle(event(.finished(status: "complete", pages: 12, requests: 12)), now: .milliseconds(12)))
    #expect(lines.last == "top-anime: complete, 12 pages of 13 advertised, 12 rows in 12 ms")
  }

  @Test func absurdFiguresDoNotTrap() {
    var state = planned(.bars, ["top-anime": Int.max, "top-manga": Int.max])
    _ = state.handle(event(.started(page: 0)), now: .zero)
    for (last, now) in [(Int.max, 1), (0, 2), (-5, 3), (1, 4)] {
      _ = state.handle(page(1, of: last, rows: 1), now: .seconds(now))
      #expect(state.block(size: size, now: .seconds(now)).count == 1)
    }
    // A restarted walk can report fewer rows than before its restart.
    _ = state.handle(page(0, of: 3, rows: 0), now: .zero)
    #expect(state.block(size: size, now: .zero).count == 1)
  }

  private func event(_ step: ProgressEvent.Step) -> ProgressEvent {
    ProgressEvent(source: "jikan", stream: "top-anime", step: step)
  }

  private func wait(_ duration: Duration, end: Date = Date()) -> ProgressEvent {
    event(.waiting(duration: duration, end: end, text: "waiting for a request slot until 04:51"))
  }

  private func page(_ page: Int, of last: Int?, rows: Int, requests: Int? = nil) -> ProgressEvent {
    event(.pageDone(page: page, lastPage: last, rows: rows, requests: requests ?? page))
  }

  /// The progress of a run of one source.
  /// - Parameter requests: The numbers of requests that are known before the run.
  private func planned(
    _ mode: ProgressState.Mode, _ requests: [String: Int], streams: [String]? = nil,
    limits: [RateWindow] = [RateWindow(requests: 1, interval: .seconds(1))]
  ) -> ProgressState {
    var state = ProgressState(mode: mode, namesSources: false)
    let plan = ProgressPlan(
      source: "jikan", streams: streams ?? Array(requests.keys), requests: requests, limits: [limits], maxPages: nil)
    state.begin(plan, now: .zero)
    return state
  }
}
