import Foundation
import SyncTelemetry
import Testing

@Suite("The time of a record")
struct LogTimestampTests {
  @Test(
    "known moments",
    arguments: [
      (0.0, "1970-01-01T00:00:00.000Z"), (1_795_294_385.1234, "2026-11-21T20:53:05.123Z"),
      (951_782_399.9999, "2000-02-28T23:59:59.999Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
      (-0.25, "1969-12-31T23:59:59.750Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
      (.infinity, "9999-12-31T23:59:59.999Z"), (-.infinity, "1583-01-01T00:00:00.000Z"),
      (.nan, "1970-01-01T00:00:00.000Z"),
    ])
  func known(_ seconds: Double, _ expected: String) {
    #expect(LogTimestamp.text(Date(timeIntervalSince1970: seconds)) == expected)
  }
}
