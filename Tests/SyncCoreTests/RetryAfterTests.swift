import Foundation
import SyncCore
import SyncTestKit
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  @Test(
    "seconds; a fraction is rounded up",
    arguments: [
      ("0", 0), ("7", 7), (" 120", 120), ("999999999999", 999_999_999_999), ("007", 7), ("0.001", 1), ("1.5", 2),
      ("7.0", 7), ("59.999999999999", 60),
    ])
  func seconds(text: String, expected: Int) { #expect(RetryAfter.parse(text, now: nil) == .seconds(expected)) }

  @Test(
    "each of the three grammars of a date, against the server's own clock",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func grammars(date: String) {
    #expect(RetryAfter.secondsSinceEpoch(date) == 784_111_777)
    #expect(RetryAfter.parse(date, now: 784_111_747) == .seconds(30))
    #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:50:37 GMT", now: 784_111_777) == .seconds(60))
  }

  @Test("a date in the past is no wait")
  func past() {
    #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:49:36 GMT", now: 784_111_777) == .zero)
    #expect(RetryAfter.parse("Thu, 01 Jan 1970 00:00:00 GMT", now: 784_111_777) == .zero)
  }

  @Test("a date is compared with the server's own clock, or else with the arrival", arguments: [nil, "x"])
  func noServerDate(serverDate: String?) {
    let until = "Sun, 06 Nov 1994 08:49:37 GMT"
    let headers = ["retry-after": until, "date": serverDate].compactMapValues(\.self)
    func wait(_ headers: [String: String], receivedAt: Int?) -> Duration? {
      UpstreamResponse(status: 503, headers: headers, body: [], receivedAt: receivedAt).retryAfter
    }
    #expect(wait(headers, receivedAt: 784_111_747) == .seconds(30))
    #expect(wait(headers, receivedAt: nil) == nil)
    let dated = headers.merging(["date": "Sun, 06 Nov 1994 08:49:30 GMT"]) { $1 }
    #expect(wait(dated, receivedAt: 784_111_747) == .seconds(7))
  }

  @Test(
    "garbage is distinguished from a wait",
    arguments: [
      "", " ", "-1", "+5", "1.", ".5", "1.5.0", "1.x", "5s", "soon", "٣", "1e3", "9999999999999", "0x10",
      "Sun, 06 Nov 1994 08:49:37 PST",
      "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun Nov 6 08:49:37", "GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
  func garbage(text: String) { #expect(RetryAfter.parse(text, now: 784_111_777) == nil) }

  @Test("the calendar agrees with Foundation's on every 97th day of eleven centuries")
  func calendar() throws {
    let style = Date.VerbatimFormatStyle(
      format: """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    // The dates are from 1600 to 2700, because the Gregorian calendar began in 1582.
    for day in stride(from: -135_140, to: 266_626, by: 97) {
      let seconds = day * 86_400 + (day & 0xFFFF)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      try #require(RetryAfter.secondsSinceEpoch(text) == seconds, "\(text)")
    }
  }

  @Test("no text crashes it or gives a negative wait: mutations of dates and numbers")
  func fuzz() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    let starts = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "120", "",
    ]
    let pieces: [Unicode.Scalar] = ["0", "9", ":", ",", "-", " ", "G", "é", "٣", "\u{0}", "\u{301}", "🦊", "\n", "J"]
    let count = 2_000 * testFactor
    for _ in 0..<count {
      var scalars = Array(starts[Int.random(in: 0..<starts.count, using: &generator)].unicodeScalars)
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        let place = Int.random(in: 0...scalars.count, using: &generator)
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        switch Int.random(in: 0...2, using: &generator) {
        case 0: scalars.insert(piece, at: place)
        case 1 where place < scalars.count: scalars.remove(at: place)
        default: if place < scalars.count { scalars[place] = piece }
        }
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let wait = RetryAfter.parse(String(text), now: [nil, 0, 784_111_777].randomElement(using: &generator) ?? nil)
      try #require(wait ?? .zero >= .zero, "\(String(text).debugDescription), seed \(seed)")
    }
    tellTorture("\(count) Retry-After texts of seed \(seed)")
  }
}
