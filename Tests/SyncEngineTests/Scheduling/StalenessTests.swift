import SyncCore
import SyncEngine
import Testing

@Suite("When a stream of a job is stale")
struct StalenessTests {
  private static func staleAt(_ schedule: String, _ wholeAt: String, jitter: Duration = .zero) throws -> Int64? {
    let job = ScheduledJob(
      JobDescription(name: "job", source: "jikan", streams: [], schedule: schedule, timeZone: "UTC"),
      schedule: try Schedule(schedule), zone: UTCRules(), jitter: jitter)
    return job.staleAt(wholeAt: Double(try utc(wholeAt)) + 0.5).map { Int64($0) }
  }

  @Test(
    "a quarter of the time to the next firing after the one that was due, within bounds",
    arguments: [
      ("15 3 * * *", "2026-11-20 03:40", "2026-11-21 09:15"), ("15 3 * * *", "2026-11-20 03:10", "2026-11-20 09:15"),
      ("every 6h", "2026-11-20 05:00", "2026-11-20 07:30"), ("every 1m", "2026-11-20 05:00", "2026-11-20 05:16"),
      ("0 4 * * sun", "2026-11-15 04:30", "2026-11-23 04:00"), ("@monthly", "2026-11-01 00:20", "2026-12-02 00:00"),
    ])
  func grace(_ schedule: String, _ wholeAt: String, _ stale: String) throws {
    #expect(try Self.staleAt(schedule, wholeAt) == (try utc(stale)))
  }

  @Test("a time that no clock shows is none", arguments: [Double.infinity, -.infinity, .nan, 1e300])
  func noTime(wholeAt: Double) throws {
    let job = ScheduledJob(
      JobDescription(name: "job", source: "jikan", streams: [], schedule: "@daily", timeZone: "UTC"),
      schedule: try Schedule("@daily"), zone: UTCRules())
    #expect((job.staleAt(wholeAt: wholeAt) == nil) == (wholeAt > 0))
  }

  @Test("jitter is not lateness")
  func jitter() throws {
    #expect(try Self.staleAt("every 6h", "2026-11-20 05:00", jitter: .seconds(1800)) == (try utc("2026-11-20 08:00")))
  }
}
