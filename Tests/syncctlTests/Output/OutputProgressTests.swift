import Foundation
import SyncCore
import Testing

@testable import JikanSource
@testable import SyncProgram

@Suite struct OutputProgressTests {
  private let size = TerminalSize(columns: 100, rows: 24)

  @Test(arguments: [
    (100, "top-anime  [#####---------------]  152/608 pages  7,600 rows  76.0 rows/s  ETA 5 min 00 s"),
    (80, "top-anime  [##--------]  152/608 pages  7,600 rows  76.0 rows/s  ETA 5 min 00 s"),
    (75, "top-anime  [##--------]  152/608 pages  7,600 rows  ETA 5 min 00 s"),
    (60, "top-anime  152/608 pages  7,600 rows  ETA 5 min 00 s"), (40, "top-anime  152/608 pages  7,600 rows  …"),
    (12, "top-ani…  …"),
  ])
  func barFitsTheWidth(columns: Int, expected: String) {
    var state = ProgressState(mode: .bars)
    _ = state.handle(event(.started(page: 0, rows: 0)), now: .zero)
    _ = state.handle(page(152, of: 608, rows: 7600), now: .seconds(100))
    let lines = state.block(size: TerminalSize(columns: columns, rows: 24), now: .seconds(100))
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) < columns })
    #expect(lines == [expected])
  }

  @Test func resumedWalkIsTimedByItsOwnPages() {
    var state = ProgressState(mode: .bars)
    _ = state.handle(event(.started(page: 300, rows: 15_000)), now: .seconds(1000))
    _ = state.handle(page(310, of: 608, rows: 15_500), now: .seconds(1010))
    let line = state.block(size: size, now: .seconds(1010))[0]
    #expect(line.contains("50.0 rows/s") && line.contains("ETA 4 min 58 s"))
    let end = state.handle(event(.finished(status: "partial")), now: .seconds(1010))
    #expect(end.contains(.line("top-anime: partial, 10 pages, 15,500 rows in 10.0 s")))
  }

  @Test func rateIsThatOfTheLastMinute() {
    var progress = StreamProgress(name: "s", page: 0, rows: 0, now: .zero)
    for second in 1...600 {
      let rows = second <= 500 ? second * 100 : 50_000 + (second - 500)
      progress.pageDone(page: second, lastPage: nil, rows: rows, now: .seconds(second))
    }
    #expect(progress.rowRate(now: .seconds(600)) == 1)
    #expect(progress.remaining(now: .seconds(600)) == nil)
  }

  @Test func drawsAtMostTenTimesASecond() {
    var state = ProgressState(mode: .bars)
    var drawings = 0
    for index in 1...1000 {
      drawings += state.handle(page(index, of: 1000, rows: index), now: .milliseconds(index)).count
    }
    #expect(drawings == 10)
  }

  @Test func finishedStreamLeavesOneLine() {
    var state = ProgressState(mode: .bars)
    _ = state.handle(event(.started(page: 0, rows: 0)), now: .zero)
    _ = state.handle(page(608, of: 608, rows: 30_377), now: .seconds(611))
    #expect(
      state.handle(event(.finished(status: "complete")), now: .seconds(612)) == [
        .redraw, .line("top-anime: complete, 608 pages, 30,377 rows in 10 min 12 s"),
      ])
    #expect(state.block(size: size, now: .seconds(612)).isEmpty)
    var idle = ProgressState(mode: .lines)
    #expect(idle.handle(event(.finished(status: "unchanged")), now: .zero) == [.line("top-anime: unchanged")])
  }

  @Test func waitingIsShownUntilItIsOver() {
    var state = ProgressState(mode: .bars)
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
      // 456 pages are left at 1.52 pages per second, which takes 300 s after the wait.
      (80, "top-anime  152/608  \(text)  ETA \(HumanFormat.clock(end + 300))"), (60, "top-anime  152/608  \(text)"),
      (50, "top-anime  \(text)"), (30, "top-anime  waiting for a req…"),
    ] {
      var state = ProgressState(mode: .bars)
      _ = state.handle(event(.started(page: 0, rows: 0)), now: .zero)
      _ = state.handle(page(152, of: 608, rows: 7600), now: .seconds(100))
      _ = state.handle(wait(.seconds(600), end: end), now: .seconds(100))
      for now in [100, 650] {
        let lines = state.block(size: TerminalSize(columns: columns, rows: 24), now: .seconds(now))
        #expect(lines == [expected] && TerminalText.displayWidth(expected) < columns)
      }
    }
  }

  @Test func eachSourceHasItsBar() {
    var state = ProgressState(mode: .bars)
    for stream in ["jikan/top-anime", "pokeapi/pokemon"] {
      _ = state.handle(ProgressEvent(stream: stream, step: .started(page: 0, rows: 0)), now: .zero)
      _ = state.handle(
        ProgressEvent(stream: stream, step: .pageDone(page: 5, lastPage: 10, rows: 50)), now: .seconds(10))
    }
    #expect(
      state.block(size: TerminalSize(columns: 60, rows: 24), now: .seconds(10)) == [
        "jikan/top-anime  5/10 pages  50 rows  ETA 10.0 s", "pokeapi/pokemon  5/10 pages  50 rows  ETA 10.0 s",
      ])
  }

  @Test func eventsOfRunsNameTheEndOfAWait() throws {
    let stream = StreamID(source: .jikan, name: "top-anime")
    let (start, name) = (Date(timeIntervalSince1970: 0), { (id: StreamID) in id.description })
    let error = SyncError(.upstream, "http://127.0.0.1/v4 answered 503")
    for (wait, duration, text) in [
      (Wait.permit(reason: "waiting for a request slot", .seconds(90)), 90, "waiting for a request slot until "),
      (.retry(error, .seconds(9)), 9, "waiting until "),
    ] {
      let end = start + Double(duration)
      let clock = HumanFormat.clock(end, now: start, hasSeconds: duration < 60)
      let event = ProgressEvent(.waiting(stream, wait), at: start, name: name)
      let whole = text + clock + (duration < 60 ? ": answered 503" : "")
      #expect(
        event
          == ProgressEvent(
            stream: "jikan/top-anime", step: .waiting(duration: .seconds(duration), end: end, text: whole)))
    }
  }

  @Test func aRunThatAGuardStoppedIsHeld() {
    let stream = StreamID(source: .jikan, name: "top-anime")
    for (code, status) in [(SyncError.Code.guarded, "held"), (.upstream, "failed")] {
      let report = RunReport(
        id: "1", stream: stream, status: .failed, counters: RunCounters(), walBytes: 0, duration: .zero,
        certificate: nil, error: SyncError(code, "x"))
      let event = ProgressEvent(.finished(report), at: Date(), name: { $0.name })
      #expect(event == ProgressEvent(stream: "top-anime", step: .finished(status: status, pages: 0)))
    }
  }

  @Test func noPageIsBeyondTheLastOne() {
    var (lines, bars) = (ProgressState(mode: .lines), ProgressState(mode: .bars))
    _ = lines.handle(page(1, of: 1, rows: 25), now: .zero)
    _ = bars.handle(page(1, of: 1, rows: 25), now: .zero)
    let line = lines.handle(page(2, of: 1, rows: 50), now: .seconds(20))
    #expect(line == [.line("top-anime: page 2, 50 rows, 2.5 rows/s")])
    _ = bars.handle(page(2, of: 1, rows: 50), now: .seconds(20))
    #expect(bars.block(size: size, now: .seconds(20)) == ["top-anime  2 pages  50 rows  2.5 rows/s"])
  }

  @Test func manyStreamsNeverFillTheScreen() {
    var state = ProgressState(mode: .bars)
    for index in 0..<48 {
      _ = state.handle(ProgressEvent(stream: "stream-\(index)", step: .started(page: 0, rows: 0)), now: .zero)
    }
    for rows in [1, 2, 5, 24, 100] {
      let lines = state.block(size: TerminalSize(columns: 80, rows: rows), now: .seconds(1))
      #expect(lines.count <= max(1, min(12, rows - 1)))
    }
    #expect(state.block(size: size, now: .zero).last == "… and 37 more")
  }

  @Test func plainLinesComeFirstThenEveryTenSecondsOrTenth() {
    var state = ProgressState(mode: .lines)
    var lines: [String] = []
    func take(_ actions: [ProgressState.Action]) { for case .line(let line) in actions { lines.append(line) } }
    take(state.handle(event(.started(page: 0, rows: 0)), now: .zero))
    for index in 1...600 { take(state.handle(page(index, of: 600, rows: index * 50), now: .seconds(index))) }
    #expect(lines.count == 60)
    #expect(lines.first == "top-anime: page 1 of 600, 50 rows, 50.0 rows/s, ETA 9 min 59 s")
    #expect(lines[1].hasPrefix("top-anime: page 11 of 600, 550 rows"))

    lines = []
    var fast = ProgressState(mode: .lines)
    for index in 1...20 { take(fast.handle(page(index, of: 20, rows: index), now: .seconds(index * 2))) }
    let pages = lines.map { $0.split(separator: " ")[2] }
    #expect(pages == ["1", "3", "5", "7", "9", "11", "13", "15", "17", "19"])

    lines = []
    var burst = ProgressState(mode: .lines)
    for index in 1...500 { take(burst.handle(page(index, of: 500, rows: index), now: .milliseconds(index))) }
    take(burst.handle(event(.finished(status: "complete")), now: .milliseconds(501)))
    #expect(lines.count == 2)
    #expect(lines.last == "top-anime: complete, 500 pages, 500 rows in 500 ms")

    lines = []
    var short = ProgressState(mode: .lines)
    for index in 1...12 { take(short.handle(page(index, of: 13, rows: index), now: .milliseconds(index))) }
    take(short.handle(event(.finished(status: "complete")), now: .milliseconds(13)))
    #expect(lines.last == "top-anime: complete, 12 pages of 13 advertised, 12 rows in 12 ms")
  }

  @Test func absurdFiguresDoNotTrap() {
    var state = ProgressState(mode: .bars)
    _ = state.handle(event(.started(page: 0, rows: 0)), now: .zero)
    for (last, now) in [(Int.max, 1), (0, 2), (-5, 3), (1, 4)] {
      _ = state.handle(page(1, of: last, rows: 1), now: .seconds(now))
      #expect(state.block(size: size, now: .seconds(now)).count == 1)
    }
    // A restarted walk can report fewer rows than before its restart.
    _ = state.handle(page(0, of: 3, rows: 0), now: .zero)
    #expect(state.block(size: size, now: .zero).count == 1)
  }

  private func event(_ step: ProgressEvent.Step) -> ProgressEvent { ProgressEvent(stream: "top-anime", step: step) }

  private func wait(_ duration: Duration, end: Date = Date()) -> ProgressEvent {
    event(.waiting(duration: duration, end: end, text: "waiting for a request slot until 04:51"))
  }

  private func page(_ page: Int, of last: Int?, rows: Int) -> ProgressEvent {
    event(.pageDone(page: page, lastPage: last, rows: rows))
  }
}
