import SyncCore
import SyncEngine
import SyncTestKit
import Testing

@Suite("Random schedules")
struct SchedulePropertyTests {
  struct Drawn {
    let text: String
    let sets: [Set<Int>]
    let startsWithStar: [Bool]

    var isWild: Bool { startsWithStar[0] || startsWithStar[1] }

    init(using generator: inout SeededGenerator) {
      let ranges = [0...59, 0...23, 1...31, 1...12, 0...6]
      var words: [String] = []
      var sets: [Set<Int>] = []
      for range in ranges {
        // In the weekday field, a star stands for 0 to 7, because both 0 and 7 are Sunday.
        let full = range == 0...6 ? 0...7 : range
        let (word, set) = Self.field(range, full: full, using: &generator)
        words.append(word)
        sets.append(set)
      }
      text = words.joined(separator: " ")
      self.sets = sets
      startsWithStar = words.map { $0.hasPrefix("*") }
    }

    private static func field(
      _ range: ClosedRange<Int>, full: ClosedRange<Int>, using generator: inout SeededGenerator
    ) -> (String, Set<Int>) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2: return ("*", Set(full))
      case 3:
        let step = Int.random(in: 1...4, using: &generator)
        return ("*/\(step)", Set(stride(from: full.lowerBound, through: full.upperBound, by: step)))
      case 4:
        let low = Int.random(in: range, using: &generator)
        let high = Int.random(in: low...range.upperBound, using: &generator)
        let step = Int.random(in: 1...3, using: &generator)
        return ("\(low)-\(high)/\(step)", Set(stride(from: low, through: high, by: step)))
      default:
        let values = (0...Int.random(in: 0...3, using: &generator)).map { _ in Int.random(in: range, using: &generator)
        }
        return (values.map(String.init).joined(separator: ","), Set(values))
      }
    }

    /// - Parameter local: The local date and time, converted to seconds since 1970 as if they were UTC.
    func matches(local: Int64) -> Bool {
      guard sets[0].contains(Int(local / 60 % 60)), sets[1].contains(Int(local / 3600 % 24)) else { return false }
      let (month, day, weekday) = Self.date(local)
      guard sets[3].contains(month) else { return false }
      let isDay = sets[2].contains(day)
      let isWeekday = sets[4].contains(weekday) || (weekday == 0 && sets[4].contains(7))
      return startsWithStar[2] || startsWithStar[4] ? isDay && isWeekday : isDay || isWeekday
    }

    /// Counts the days year by year, so that the test shares no code with `Schedule`.
    private static func date(_ local: Int64) -> (month: Int, day: Int, weekday: Int) {
      var day = Int(local / 86_400)
      let weekday = (day + 4) % 7
      var year = 1970
      let isLeap = { (year: Int) in year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
      while day >= (isLeap(year) ? 366 : 365) {
        day -= isLeap(year) ? 366 : 365
        year += 1
      }
      var month = 1
      for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        guard day >= length else { break }
        day -= length
        month += 1
      }
      return (month, day + 1, weekday)
    }
  }

  @Test("from any start, next gives the same firings, and each is shown by the clock or made up for")
  func doesNotDependOnTheStart() throws {
    var generator = SeededGenerator(seed: testSeed)
    var tried = 0
    for name in ["America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca"] {
      let zone = try FoundationZone(name)
      for _ in 0..<40 {
        let drawn = Drawn(using: &generator)
        // `Schedule` refuses an expression whose day never occurs.
        guard let schedule = try? Schedule(drawn.text) else { continue }
        tried += 1
        let start = try utc("2012-01-01 00:00") + Int64.random(in: 0..<300 * 86_400, using: &generator)
        let firings = schedule.firings(after: start, upTo: start + 40 * 86_400, in: zone)
        #expect(zip(firings, firings.dropFirst()).allSatisfy { $0 < $1 })
        for (firing, following) in zip(firings, firings.dropFirst()).shuffled(using: &generator).prefix(50) {
          let between = Int64.random(in: firing..<following, using: &generator)
          try #require(
            schedule.next(after: between, in: zone) == following, "\(drawn.text) in \(name) after \(between)")
          let isShown = drawn.matches(local: firing + Int64(zone.offset(at: firing)))
          let isChange = zone.offset(at: firing) > zone.offset(at: firing - 1)
          try #require(isShown || isChange && !drawn.isWild, "\(drawn.text) in \(name) at \(firing)")
        }
      }
    }
    #expect(tried > 100, "most expressions are accepted")
  }

  @Test("latest is the last firing that next gives, with their number")
  func latestAgreesWithNext() throws {
    var generator = SeededGenerator(seed: testSeed)
    let zone = try FoundationZone("Australia/Lord_Howe")
    var capped = 0
    for turn in 0..<150 {
      let text = turn % 10 == 0 ? "every \(Int.random(in: 1...90, using: &generator))m" : Drawn(using: &generator).text
      guard let schedule = try? Schedule(text) else { continue }
      let start = try utc("2014-01-01 00:00") + Int64.random(in: 0..<365 * 86_400, using: &generator)
      let end = start + Int64.random(in: 0..<60 * 86_400, using: &generator)
      let all = schedule.firings(after: start, upTo: end, in: zone)
      let latest = schedule.latest(after: start, upTo: end, in: zone)
      try #require(latest?.instant == all.last, "\(text), \(start), \(end), seed \(testSeed)")
      try #require((latest?.count ?? 0) == min(all.count, Limits.countedFirings), "\(text), \(start), \(end)")
      if all.count > Limits.countedFirings { capped += 1 }
    }
    #expect(capped > 3, "some spans exceed the count's limit")
  }

  @Test("any text is either accepted or refused, with a caret inside it")
  func strangeTexts() {
    var generator = SeededGenerator(seed: testSeed)
    let pieces = [
      "0", "5", "59", "60", "99999999999999999999", "*", "*/", "/", "-", ",", " ", "  ", "\t", "\n", "\r\n", "mon",
      "fri-mon", "feb", "febr", "L", "W", "#", "?", "H", "~", "@", "@daily", "@reboot", "every", "every ", "6h", "0s",
      "٣", "–", "\u{0}", "\u{301}", "👩‍👩‍👧", "é", "\u{202E}", "\u{FEFF}", "1-5", "5-1", "1/2", "*/5", "1,2", "\u{1B}[2J",
      "0 0 ", "* * * * *", "1 2 31 2 *",
    ]
    var refused = 0
    let count = 800 * testFactor
    for _ in 0..<count {
      let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
        pieces.randomElement(using: &generator)
      }.joined(separator: Bool.random(using: &generator) ? " " : "")
      do throws(ScheduleFault) {
        let schedule = try Schedule(text)
        #expect((try? Schedule(schedule.description)) == schedule, "\(text.debugDescription)")
        #expect(schedule.next(after: 1_700_000_000, in: UTCRules()) != nil, "\(text.debugDescription)")
      } catch {
        refused += 1
        let lines = error.caret.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2, "\(text.debugDescription)")
        #expect(error.columns.upperBound <= error.text.count, "\(text.debugDescription): \(error)")
        #expect(
          (error.caret + error.description).unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" },
          "\(text.debugDescription): \(error)")
        #expect(!error.message.isEmpty)
      }
    }
    #expect((count / 2..<count).contains(refused), "\(refused) were refused")
    tellTorture("\(count) texts for schedules of seed \(testSeed): \(refused) refused")
  }
}
