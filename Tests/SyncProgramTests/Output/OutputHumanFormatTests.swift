import Foundation
import Testing

@testable import SyncProgram

@Suite struct OutputHumanFormatTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (30_377, "30,377"), (1_234_567, "1,234,567"), (-30_377, "-30,377"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)])
  func counts(value: Int, expected: String) { #expect(HumanFormat.count(value) == expected) }

  @Test(arguments: [
    ("9", "9.00"), ("8.7", "8.70"), ("8.", "8.00"), ("-0.5", "-0.50"), ("8.76", "8.76"), ("8.765", "8.765"), ("", ""),
    ("NaN", "NaN"), ("1e2", "1e2"), ("8.x", "8.x"), ("1.2.3", "1.2.3"),
  ])
  func scores(number: String, expected: String) { #expect(HumanFormat.twoDecimals(number) == expected) }

  @Test(
    arguments: [
      (Duration.zero, "0 ms"), (.milliseconds(250), "250 ms"), (.milliseconds(12_345), "12.3 s"),
      (.milliseconds(59_999), "59.9 s"), (.seconds(65), "1 min 05 s"), (.seconds(3599), "59 min 59 s"),
      (.seconds(7380), "2 h 03 min"), (.seconds(3 * 86_400 + 4 * 3600), "3 d 04 h"), (.seconds(-5), "0 ms"),
    ] as [(Duration, String)])
  func durations(value: Duration, expected: String) { #expect(HumanFormat.duration(value) == expected) }

  @Test(
    arguments: [
      (Duration.milliseconds(1), "1 s"), (.seconds(59), "59 s"), (.seconds(67), "2 min"), (.seconds(3099), "52 min"),
      (.seconds(7200), "2 h"), (.seconds(90_001), "26 h"), (.seconds(172_800), "2 d"),
    ] as [(Duration, String)])
  func estimates(value: Duration, expected: String) { #expect(HumanFormat.estimate(value) == expected) }

  @Test func timesOfDayAreRoundedUp() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 3600))
    let time = Date(timeIntervalSince1970: 17_461.2)
    #expect(HumanFormat.clock(time, in: zone) == "05:52")
    #expect(HumanFormat.clock(time, hasSeconds: true, in: zone) == "05:51:02")
    #expect(HumanFormat.clock(Date(timeIntervalSince1970: 82_799), in: zone) == "00:00")
    let day = 86_400.0
    #expect(HumanFormat.clock(time, now: time - 60, in: zone) == "05:52 +01:00 (04:52 UTC)")
    #expect(HumanFormat.clock(time, now: time - 60, in: .gmt) == "04:52 UTC")
    #expect(HumanFormat.clock(time + day, now: time, in: .gmt) == "1970-01-02 04:52 UTC")
    #expect(HumanFormat.clock(time, now: time + 60, in: zone) == "05:51 +01:00 (04:51 UTC)")
    #expect(HumanFormat.clock(time, now: time + day, in: zone) == "1970-01-01 05:51 +01:00 (1970-01-01 04:51 UTC)")
  }

  @Test(
    arguments: [
      (Int64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (98_600_000, "98.6 MB"), (999_999, "999.9 kB"),
      (1_000_000_000, "1.0 GB"), (Int64.max, "9.2 EB"), (-1500, "-1.5 kB"), (Int64.min, "-9.2 EB"),
    ] as [(Int64, String)])
  func bytes(value: Int64, expected: String) { #expect(HumanFormat.bytes(value) == expected) }

  @Test(
    arguments: [
      (0.0, "0.0"), (48.14, "48.1"), (99.96, "100.0"), (1203.7, "1,204"), (Double.infinity, "–"), (Double.nan, "–"),
    ] as [(Double, String)])
  func rates(value: Double, expected: String) { #expect(HumanFormat.rate(value) == expected) }

  @Test(
    arguments: [
      (Int64(1000), "just now"), (996, "just now"), (955, "45 s ago"), (700, "5 min ago"), (1000 - 10_900, "3 h ago"),
      (1000 - 86_400 * 9, "9 d ago"), (1300, "in 5 min"), (1241, "in 5 min"), (Int64.max, "in 104249991375 d"),
      (Int64.min, "106751991167300 d ago"),
    ] as [(Int64, String)])
  func ages(then: Int64, expected: String) { #expect(HumanFormat.age(of: then, now: 1000) == expected) }
}
