import Foundation
import Logging
import SyncCore
import SyncTelemetry
import Synchronization
import Testing

@Suite("Records of runs")
struct RunLogTests {
  private struct StoppedClock: SyncClock {
    func now() -> Duration { .zero }
    func sleep(for duration: Duration) async throws {}
  }

  @Test("no page is beyond the last one: a list can go on after the page that it advertises")
  func pages() {
    let lines = Mutex<[[UInt8]]>([])
    let logger = Logger(label: "test") { label in
      LineLogHandler(
        label: label, format: .text, level: .debug, safe: { $0 }, write: { line in lines.withLock { $0.append(line) } },
        now: { Date(timeIntervalSince1970: 0) })
    }
    let log = RunLog(logger, clock: StoppedClock())
    for number in 1...2 {
      log.observe(.page(StreamID(source: "jikan", name: "a"), number: number, advertised: 1, counters: RunCounters()))
    }
    let text = lines.withLock { String(decoding: $0.joined(), as: UTF8.self) }
    #expect(text.contains("page 1 of 1  ") && text.contains("page 2  "), "\(text)")
  }
}
