import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("When a schedule fires")
struct ScheduleTests {
  @Test(
    "the clocks are changed",
    arguments: [
      // The clocks skip the hour from 02:00 to 03:00. At 03:00, it is 07:00 UTC.
      ("30 2 * * *", "America/New_York", "2016-03-12 12:00", "2016-03-15 00:00", ["13 07:00", "14 06:30"]),
      (
        "0,15,30 2,3 13 3 *", "America/New_York", "2016-03-13 00:00", "2016-03-13 08:00",
        ["13 07:00", "13 07:15", "13 07:30"]
      ),
      ("*/30 2 * * *", "America/New_York", "2016-03-12 12:00", "2016-03-14 06:30", ["14 06:00", "14 06:30"]),
      ("30 */2 13 3 *", "America/New_York", "2016-03-13 05:00", "2016-03-13 09:00", ["13 05:30", "13 08:30"]),
      // At 06:00 UTC, the clocks are set back from 02:00 to 01:00.
      ("30 1 * * *", "America/New_York", "2016-11-06 00:00", "2016-11-07 12:00", ["06 05:30", "07 06:30"]),
      (
        "30 * 6 11 *", "America/New_York", "2016-11-06 05:00", "2016-11-06 08:00", ["06 05:30", "06 06:30", "06 07:30"]
      ),
      // The clock changes by half an hour.
      ("15 2 * * *", "Australia/Lord_Howe", "2016-10-01 00:00", "2016-10-03 00:00", ["01 15:30", "02 15:15"]),
      ("45 1 * * *", "Australia/Lord_Howe", "2016-04-02 00:00", "2016-04-04 00:00", ["02 14:45", "03 15:15"]),
      // Midnight is skipped, so the day begins at 01:00.
      ("0 0 * * *", "America/Sao_Paulo", "2016-10-15 00:00", "2016-10-17 12:00", ["15 03:00", "16 03:00", "17 02:00"]),
      // At midnight, the clock goes back to 23:00 of the previous day.
      ("30 23 20 2 *", "America/Sao_Paulo", "2016-02-20 00:00", "2016-02-22 00:00", ["21 01:30"]),
      // A firing in a skip of three hours happens after the skip. A firing on a skipped day is lost.
      ("0 3 * * *", "Antarctica/Casey", "2011-10-26 20:00", "2011-10-28 18:00", ["27 18:00", "28 16:00"]),
      ("0 12 * * *", "Pacific/Apia", "2011-12-29 00:00", "2011-12-31 00:00", ["29 22:00", "30 22:00"]),
    ] as [(String, String, String, String, [String])])
  func clockChanges(expression: String, zone: String, start: String, end: String, firings: [String]) throws {
    let schedule = try Schedule(expression)
    let found = schedule.firings(after: try utc(start), upTo: try utc(end), in: try FoundationZone(zone))
    #expect(found == (try firings.map { try utc(start.prefix(8) + $0) }))
  }

  @Test("a change of three hours is bridged, one of a minute more is not", arguments: [180, 181])
  func longestChange(minutes: Int) throws {
    let noon = try utc("2020-05-05 12:00")
    let ahead = ScriptedZone(first: 0, changes: [(noon, minutes * 60)])
    let back = ScriptedZone(first: minutes * 60, changes: [(noon, 0)])
    let skipped = try Schedule("30 12 * * *").firings(after: noon - 3600, upTo: noon + 20 * 3600, in: ahead)
    #expect(skipped == (minutes == 180 ? [noon] : []))
    // The clock shows 14:30 before the change, and again 150 minutes after the change.
    let repeated = try Schedule("30 14 * * *").firings(after: noon - 4 * 3600, upTo: noon + 4 * 3600, in: back)
    let first = noon + (150 - Int64(minutes)) * 60
    #expect(repeated == (minutes == 180 ? [first] : [first, noon + 150 * 60]))
  }

  @Test("a change at the exact start time, and one second before it")
  func changeAtTheMoment() throws {
    let change = try utc("2016-03-13 07:00")
    let zone = try FoundationZone("America/New_York")
    let schedule = try Schedule("30 2 * * *")
    #expect(schedule.next(after: change - 1, in: zone) == change)
    #expect(schedule.next(after: change, in: zone) == (try utc("2016-03-14 06:30")))
  }

  @Test("29 February on a Sunday is found, up to 40 years ahead")
  func rareDays() throws {
    let schedule = try Schedule("0 0 29 2 */7")
    #expect(schedule.next(after: try utc("2060-02-29 00:00"), in: UTCRules()) == (try utc("2088-02-29 00:00")))
    #expect(schedule.next(after: try utc("2088-02-29 00:00"), in: UTCRules()) == (try utc("2128-02-29 00:00")))
    let either = try Schedule("0 0 29 2 7")
    #expect(either.next(after: try utc("2023-02-20 00:00"), in: UTCRules()) == (try utc("2023-02-26 00:00")))
  }

  @Test("only one century in four has a leap day")
  func centuries() throws {
    let schedule = try Schedule("0 0 29 feb *")
    #expect(schedule.next(after: try utc("1999-03-01 00:00"), in: UTCRules()) == (try utc("2000-02-29 00:00")))
    #expect(schedule.next(after: try utc("2096-03-01 00:00"), in: UTCRules()) == (try utc("2104-02-29 00:00")))
    // 2100 is not a leap year. A wrong calendar would take March 1 for February 29.
    let first = try Schedule("0 0 28-31 2 *").firings(
      after: try utc("2100-02-01 00:00"), upTo: try utc("2100-03-31 00:00"), in: UTCRules())
    #expect(first == [try utc("2100-02-28 00:00")])
  }

  @Test("periods are multiples since 1970, in every zone and before 1970 too")
  func periods() throws {
    let zone = try FoundationZone("Australia/Lord_Howe")
    let schedule = try Schedule("every 6h")
    #expect(schedule.next(after: 0, in: zone) == 21_600)
    #expect(schedule.next(after: -1, in: zone) == 0)
    #expect(schedule.next(after: -21_601, in: zone) == -21_600)
    #expect(schedule.next(after: 21_599, in: zone) == 21_600)
    #expect(schedule.next(after: 21_600, in: zone) == 43_200)
    #expect(Schedule.every(.zero).next(after: 5, in: zone) == 6)
    let longest: Int64 = 366 * 86_400
    #expect(Schedule.every(.seconds(Int64.max)).next(after: 0, in: zone) == longest)
    let latest = try Schedule("every 7s").latest(after: 0, upTo: 70_001, in: zone)
    #expect(latest?.instant == 70_000)
    #expect(latest?.count == Limits.countedFirings)
  }

  @Test("moments outside every calendar", arguments: ["* * * * *", "0 0 29 2 *", "every 1s", "every 366d"])
  func extremes(text: String) throws {
    let schedule = try Schedule(text)
    let zone = try FoundationZone("Europe/Dublin")
    for instant in [Int64.min, Int64.min + 1, -62_135_596_801] {
      let next = try #require(schedule.next(after: instant, in: zone))
      #expect(next > -62_135_596_801 && next < -62_135_596_800 + 5 * 366 * 86_400)
    }
    #expect(schedule.next(after: .max, in: zone) == nil)
    #expect(schedule.next(after: 253_402_300_799, in: zone) == nil)
    #expect(schedule.latest(after: .max, upTo: .min, in: zone) == nil)
    let last = try #require(schedule.latest(after: 0, upTo: .max, in: zone))
    #expect(last.instant > 253_402_300_799 - 5 * 366 * 86_400)
  }

  @Test("the last firing of 50 years of minutes takes no more zone lookups than that of a day")
  func latestIsFast() throws {
    let zone = CountingZone(try FoundationZone("America/New_York"))
    let schedule = try Schedule("30 0-23 * * *")
    let now = try utc("2020-06-15 12:17")
    let latest = try #require(schedule.latest(after: try utc("1970-06-15 12:00"), upTo: now, in: zone))
    #expect(latest.instant == (try utc("2020-06-15 11:30")))
    #expect(latest.count == Limits.countedFirings)
    #expect(zone.questions.load(ordering: .relaxed) < 5 * Limits.countedFirings)
  }

  @Test("the next firing of a rare schedule is not searched day by day")
  func rareIsFast() throws {
    let zone = CountingZone(try FoundationZone("America/New_York"))
    let next = try Schedule("0 0 29 2 */7").next(after: try utc("2088-03-01 00:00"), in: zone)
    #expect(next == (try utc("2128-02-29 05:00")))
    #expect(zone.questions.load(ordering: .relaxed) < 20)
  }

  private final class CountingZone: ZoneRules {
    let zone: FoundationZone
    let questions = Atomic(0)

    init(_ zone: FoundationZone) { self.zone = zone }

    func offset(at instant: Int64) -> Int {
      questions.add(1, ordering: .relaxed)
      return zone.offset(at: instant)
    }
  }
}
