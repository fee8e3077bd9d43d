import SyncEngine
import Testing

@Suite("The text of a schedule")
struct ScheduleTextTests {
  @Test(
    "two ways to write one schedule",
    arguments: [
      ("  0\t3  * * *\n", "0 3 * * *"), ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 jan *"),
      ("@monthly", "0 0 1 * *"), ("@weekly", "0 0 * * 0"), ("@daily", "@midnight"), ("@midnight", "0 0 * * *"),
      ("@hourly", "0 * * * *"), ("0 0 * * 7", "0 0 * * sun"), ("0 0 * * 5-7", "0 0 * * 0,5,6"),
      ("0 0 * * sat-sun", "0 0 * * 0,6"), ("0 0 * * 6-7", "0 0 * * SAT-Sun"), ("0 0 * * 6-0", "0 0 * * sat,sun"),
      ("0 0 * * mon-sun", "0 0 * * 0-6"), ("0 0 * * 1-0", "0 0 * * 1-7"), ("0 0 * * wed,fri-sun/2", "0 0 * * 0,3,5"),
      ("0 0 * * sun-sun", "0 0 * * sun"), ("0 0 * * 7-sun", "0 0 * * 7"), ("0 0 * * sun-tue", "0 0 * * 0-2"),
      ("0 0 * * 1-7/3", "0 0 * * mon,thu,sun"), ("0 0 * * */7", "0 0 * * */7"),
      ("0 0 * JAN-mar Mon-FRI", "0 0 * 1-3 1-5"),
      ("007 03 * * *", "7 3 * * *"), ("0-59 0-23 * * *", "0-30,31-59 0-23/1 * * *"), ("1,1,1 0 * * *", "1 0 * * *"),
      ("0 0 1 1,feb-4/2 *", "0 0 1 1,2,4 *"), ("5-59/15 0 * * *", "5,20,35,50 0 * * *"),
      ("0 0 */31 * *", "0 0 *,1 * *"),
      ("every 24h", "every 1d"), ("every  90m", "EVERY 5400s"), ("every 366d", "every 8784h"),
    ])
  func same(one: String, other: String) throws {
    if one != "0 0 */31 * *" { #expect(try Schedule(one) == Schedule(other)) }
    #expect(try Schedule(Schedule(one).description) == Schedule(one))
  }

  @Test(
    "a star at the beginning means more than its values",
    arguments: [
      ("* 0 * * *", "0-59 0 * * *"), ("0 * * * *", "0 0-23 * * *"), ("0 0 *,13 * 5", "0 0 1-31 * 5"),
      ("0 0 13 * *", "0 0 13 * 0-6"),
    ])
  func different(one: String, other: String) throws { #expect(try Schedule(one) != Schedule(other)) }

  @Test("how a schedule is printed")
  func shown() throws {
    #expect(try Schedule("  0  3 * *\tMON ").description == "0 3 * * MON")
    #expect(try Schedule("@daily").description == "@daily")
    #expect(try Schedule("every 120m").description == "every 2h")
    #expect(try Schedule("every 90s").description == "every 90s")
    #expect(try Schedule("every 48h").description == "every 2d")
  }

  typealias Refusal = (text: String, marks: String, message: String, hint: String?)

  private static let refusals: [Refusal] = [
    ("", "^", "the schedule is empty", "write e.g. '0 3 * * *' or 'every 6h'"),
    ("@reboot", "^~~~~~~", "'@reboot' is not known", "a schedule cannot refer to a machine's start; give a time"),
    ("@Daily", "^~~~~~", "'@Daily' is not known", "did you mean '@daily'?"),
    ("@dayly", "^~~~~~", "'@dayly' is not known", "did you mean '@daily'?"),
    ("@every 5m", "^~~~~~", "'@every' is not known", "write it without '@', e.g. 'every 6h'"),
    ("@daily 5", "       ^", "@daily takes no further fields", "omit what follows it"),
    ("@", "^", "'@' is not known", "known are @annually @daily @hourly @midnight @monthly @weekly @yearly"),
    ("hourly", "^~~~~~", "a schedule has five fields, not 1", "did you mean '@hourly'?"),
    ("6h", "^~", "a schedule has five fields, not 1", "write 'every 6h'"),
    (
      "0 3", "^~~", "a schedule has five fields, not 2",
      "the fields are minute, hour, day of month, month, day of week; '*' means any"
    ),
    (
      "30 0 3 * * *", "           ^", "a schedule has five fields, not 6",
      "seconds and years are not supported: omit them"
    ),
    (
      "0 0 3 * * * 2027", "          ^~~~~~", "a schedule has five fields, not 7",
      "seconds and years are not supported: omit them"
    ),
    (
      "0 3 * * * /bin/true --all now", "          ^~~~~~~~~~~~~~~~~~~", "a schedule has five fields, not 8",
      "quote only the schedule; a command does not belong here"
    ),
    (
      "CRON_TZ=Europe/Berlin 0 3 * * *", "^~~~~~~~~~~~~~~~~~~~~",
      "'CRON_TZ=Europe/Berlin' does not belong in a schedule", "use time_zone of the job, e.g. time_zone: Europe/Berlin"
    ),
    (
      "TZ=UTC @daily", "^~~~~~", "'TZ=UTC' does not belong in a schedule",
      "use time_zone of the job, e.g. time_zone: UTC"
    ),
    (
      "every 6h CRON_TZ=Asia/Tokyo", "         ^~~~~~~~~~~~~~~~~~",
      "'CRON_TZ=Asia/Tokyo' does not belong in a schedule", "use time_zone of the job, e.g. time_zone: Asia/Tokyo"
    ),
    (
      "cron_tz=", "^~~~~~~~", "'cron_tz=' does not belong in a schedule",
      "use time_zone of the job, e.g. time_zone: Europe/Berlin"
    ),
    ("0 3 ? * *", "    ^", "'?' is not a valid day of month", "write '*'; '?' is Quartz syntax"),
    (
      "0 0 L * *", "    ^", "'L' is not a valid day of month",
      "a last day ('L') cannot be expressed in cron's five fields; the first of a month can: 0 0 1 * *"
    ),
    (
      "0 0 * * 5L", "        ^~", "'5L' is not a valid day of week",
      "a last day ('L') cannot be expressed in cron's five fields; the first of a month can: 0 0 1 * *"
    ),
    (
      "0 0 LW * *", "    ^~", "'LW' is not a valid day of month",
      "a last day ('L') cannot be expressed in cron's five fields; the first of a month can: 0 0 1 * *"
    ),
    (
      "0 0 15W * *", "    ^~~", "'15W' is not a valid day of month",
      "the nearest working day ('W') cannot be expressed in cron's five fields; working days can: 0 0 * * mon-fri"
    ),
    (
      "0 0 * * 6#3", "        ^~~", "'6#3' is not a valid day of week",
      "a weekday of a certain week ('#') cannot be expressed in cron's five fields"
    ),
    ("0~30 3 * * *", "^~~~", "'0~30' is not a valid minute", "a random value ('~') is not supported; choose one, 0-59"),
    ("H 3 * * *", "^", "'H' is not a valid minute", "'H' is Jenkins syntax; choose a value, 0-59"),
    ("H/15 * * * *", "^", "'H' is not a valid minute", "'H' is Jenkins syntax; choose a value, 0-59"),
    ("H(0-29)/10 * * * *", "^~~", "'H(0' is not a valid minute", "'H' is Jenkins syntax; choose a value, 0-59"),
    ("5-1 * * * *", "^~~", "the range '5-1' runs backwards", "write '5-59,0-1'"),
    ("0 22-2 * * *", "  ^~~~", "the range '22-2' runs backwards", "write '22-23,0-2'"),
    ("0 0 25-5 * *", "    ^~~~", "the range '25-5' runs backwards", "write '25-31,1-5'"),
    ("0 0 * nov-feb *", "      ^~~~~~~", "the range 'nov-feb' runs backwards", "write 'nov-dec,jan-feb'"),
    ("0 0 * * fri-mon", "        ^~~~~~~", "the range 'fri-mon' runs backwards", "write 'fri-sat,sun-mon'"),
    ("0 0 * * sat-mon", "        ^~~~~~~", "the range 'sat-mon' runs backwards", "write 'sat,sun-mon'"),
    ("0 0 * * 7-1", "        ^~~", "the range '7-1' runs backwards", "write '7,0-1'"),
    ("30-0 0 * * *", "^~~~", "the range '30-0' runs backwards", "write '30-59,0'"),
    ("0 5-0 * * *", "  ^~~", "the range '5-0' runs backwards", "write '5-23,0'"),
    ("0 0 * dec-jan *", "      ^~~~~~~", "the range 'dec-jan' runs backwards", "write 'dec,jan'"),
    ("0 0 * * 5-1/2", "        ^~~", "the range '5-1' runs backwards", "write it as two ranges"),
    ("*/0 * * * *", "  ^", "the step is 0", "write 1 or more"),
    ("1-5/0 * * * *", "    ^", "the step is 0", "write 1 or more"),
    ("5/15 * * * *", "^~~~", "a step needs a range", "write '5-59/15'"),
    ("0 0 * * mon/2", "        ^~~~~", "a step needs a range", "write 'mon-7/2'"),
    ("*/ * * * *", "^~", "'*/' has no number for its step", "write e.g. '*/2'"),
    ("*/x * * * *", "  ^", "'*/x' has no number for its step", "write e.g. '*/2'"),
    ("*/-5 * * * *", "  ^~", "'*/-5' has no number for its step", "write e.g. '*/2'"),
    (
      "*/90 * * * *", "  ^~", "the step '90' is larger than the number of values of the minute",
      "for a period write 'every 90m'"
    ),
    (
      "0 */48 * * *", "    ^~", "the step '48' is larger than the number of values of the hour",
      "for a period write 'every 48h'"
    ),
    (
      "0 0 */45 * *", "      ^~", "the step '45' is larger than the number of values of the day of month",
      "for a period write 'every 45d'"
    ),
    ("0 0 1 */13 *", "        ^~", "the step '13' is larger than the number of values of the month", "at most 12"),
    (
      "*/99999999999999999999 * * * *", "  ^~~~~~~~~~~~~~~~~~~~",
      "the step '99999999999999999999' is larger than the number of values of the minute", "at most 60"
    ),
    ("1/2/3 * * * *", "^~~~~", "'1/2/3' has more than one step", "write one '/'"),
    ("60 * * * *", "^~", "the minute '60' is out of range", "it is 0-59"),
    ("0 24 * * *", "  ^~", "the hour '24' is out of range", "it is 0-23"),
    ("0 0 0 * *", "    ^", "the day of month '0' is out of range", "it is 1-31"),
    ("0 0 32 * *", "    ^~", "the day of month '32' is out of range", "it is 1-31"),
    ("0 0 1 0 *", "      ^", "the month '0' is out of range", "it is 1-12"),
    ("0 0 1 13 *", "      ^~", "the month '13' is out of range", "it is 1-12"),
    ("0 0 * * 8", "        ^", "the day of week '8' is out of range", "it is 0-7"),
    (
      "99999999999999999999999 * * * *", "^~~~~~~~~~~~~~~~~~~~~~~",
      "the minute '99999999999999999999999' is out of range", "it is 0-59"
    ),
    ("0,,5 * * * *", "  ^", "a value is missing in the list of the minute", "omit the comma"),
    (",5 * * * *", "^", "a value is missing in the list of the minute", "omit the comma"),
    ("5, * * * *", " ^", "a value is missing in the list of the minute", "omit the comma"),
    ("5- * * * *", "^~", "a value is missing in '5-'", "write a number, 0-59"),
    ("-5 * * * *", "^~", "a value is missing in '-5'", "write a number, 0-59"),
    ("1-2-3 * * * *", "^~~~~", "'1-2-3' has more than two ends", "write a range as 1-5"),
    ("*5 * * * *", "^~", "'*5' is not a valid minute", "write a number, 0-59"),
    ("** * * * *", "^~", "'**' is not a valid minute", "write a number, 0-59"),
    ("+5 * * * *", "^~", "'+5' is not a valid minute", "write a number, 0-59"),
    ("1.5 * * * *", "^~~", "'1.5' is not a valid minute", "write a number, 0-59"),
    ("0x10 * * * *", "^~~~", "'0x10' is not a valid minute", "write a number, 0-59"),
    ("0 ٣ * * *", "  ^", "'٣' is not understood", "write '3'"),
    ("0 1–5 * * *", "   ^", "'–' is not understood", "write '-'"),
    ("0 0 ＊ * *", "    ^", "'＊' is not understood", "write '*'"),
    ("0 0 * fev *", "      ^~~", "'fev' is not a valid month", "did you mean 'feb'?"),
    ("0 0 * march *", "      ^~~~~", "'march' is not a valid month", "write 'mar'"),
    ("0 0 * * thr", "        ^~~", "'thr' is not a valid day of week", "did you mean 'thu'?"),
    ("0 0 * * tuesday", "        ^~~~~~~", "'tuesday' is not a valid day of week", "write 'tue'"),
    ("0 0 * * feb", "        ^~~", "'feb' is not a valid day of week", "a month belongs in field 4 of five"),
    ("0 0 * mon *", "      ^~~", "'mon' is not a valid month", "a day of week belongs in field 5 of five"),
    ("mon 0 * * *", "^~~", "'mon' is not a valid minute", "a day of week belongs in field 5 of five"),
    (
      "0 0 * * xyz", "        ^~~", "'xyz' is not a valid day of week",
      "write a number, 0-7, or one of sun mon tue wed thu fri sat"
    ),
    ("0 noon * * *", "  ^~~~", "'noon' is not a valid hour", "write a number, 0-23"),
    ("every", "     ^", "the period is missing", "write e.g. 'every 6h'"),
    ("every 6 h", "      ^~~", "the period is not understood", "write 'every 6h'"),
    ("every 1w", "      ^~", "the period is not understood", "write 'every 7d'"),
    ("every 6hours", "      ^~~~~~", "the period is not understood", "write 'every 6h'"),
    ("every 3mo", "      ^~~", "the period is not understood", "for the first of each month write '0 0 1 * *'"),
    ("every 3months", "      ^~~~~~~", "the period is not understood", "for the first of each month write '0 0 1 * *'"),
    ("every 0s", "      ^~", "the period is not understood", "at least 1s"),
    ("every 367d", "      ^~~~", "the period is too long", "at most 366d"),
    ("every 9999999d", "      ^~~~~~~~", "the period is too long", "at most 366d"),
  ]

  private static let neverDue: [Refusal] = [
    ("0 0 31 2 *", "    ^~~~"), ("0 0 30 feb *", "    ^~~~~~"), ("0 0 31 4,6,9,11 */2", "    ^~~~~~~~~~~"),
    ("0 0 30-31 feb *", "    ^~~~~~~~~"),
  ].map {
    (
      $0, $1, "the schedule would never fire: none of its months has such a day",
      "for the last day of a month, take the first of the next: 0 0 1 * *"
    )
  }

  private static let noPeriods: [Refusal] = [
    ("every 6", "      ^"), ("every 1.5h", "      ^~~~"), ("every 99999999s", "      ^~~~~~~~~"),
    ("every -5m", "      ^~~"), ("every ٣h", "      ^~"), ("every 5m 3h", "      ^~~~~"),
    ("every 1d12h", "      ^~~~~"), ("every minute", "      ^~~~~~"), ("every day", "      ^~~"),
  ].map {
    ($0, $1, "the period is not understood", "write a whole number and a unit s, m, h or d, e.g. 'every 90m'")
  }

  @Test("a fault says what is wrong, where, and what to write", arguments: refusals + neverDue + noPeriods)
  func refused(refusal: Refusal) {
    do throws(ScheduleFault) {
      let schedule = try Schedule(refusal.text)
      Issue.record("'\(refusal.text)' was taken for \(schedule)")
    } catch {
      #expect(error.message == refusal.message)
      #expect(error.hint == refusal.hint)
      #expect(error.caret == refusal.text + "\n" + refusal.marks)
      #expect(error.description == refusal.message + (refusal.hint.map { ": \($0)" } ?? ""))
    }
  }

  @Test("white space other than a space is named, and a line break does not move the caret")
  func whiteSpace() throws {
    let fault = #expect(throws: ScheduleFault.self) { try Schedule("0\u{A0}3 * * *") }
    #expect(fault?.columns == 1..<2)
    #expect(fault?.hint == "write a plain space")
    let broken = #expect(throws: ScheduleFault.self) { try Schedule("0\r\n3 * * x") }
    #expect(broken?.caret == "0 3 * * x\n        ^")
  }

  @Test("control characters are escaped")
  func escapes() throws {
    let fault = try #require(throws: ScheduleFault.self) { try Schedule("0 \u{1B}[31m3 * * *") }
    #expect(fault.caret == "0  [31m3 * * *\n  ^~~~~~")
    #expect(!fault.description.contains("\u{1B}"))
  }

  @Test("an overlong text is cut off, one of 500 characters is read")
  func long() throws {
    let every = (0...59).map(String.init).joined(separator: ",")
    let padded = every + String(repeating: " ", count: 500 - every.count - 7) + "0 * * *"
    #expect(try Schedule(padded) == Schedule("0-59 0 * * *"))
    for text in [
      padded + " ", String(repeating: "9", count: 1_000_000), "0" + String(repeating: "\u{301}", count: 501),
    ] {
      let fault = try #require(throws: ScheduleFault.self) { try Schedule(text) }
      #expect(fault.message == "a schedule has at most 500 characters")
      #expect(fault.caret.unicodeScalars.count < 130)
    }
  }

  @Test("only days that never come are refused")
  func everyDayThatComes() throws {
    let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (index, length) in lengths.enumerated() {
      for day in 1...31 {
        let schedule = try? Schedule("0 0 \(day) \(index + 1) *")
        #expect((schedule != nil) == (day <= length), "\(day) \(index + 1)")
        // An impossible date is accepted with a weekday, because the expression fires on Mondays.
        #expect((try? Schedule("0 0 \(day) \(index + 1) mon")) != nil)
      }
    }
    #expect(try Schedule("0 0 30 2 mon").next(after: 0, in: UTCRules()) == 32 * 86_400)
  }
}
