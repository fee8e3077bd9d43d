import Foundation

/// Measures functions that read foreign bytes, with long texts of the worst kind.
package enum WorstTexts {
  package static let mebibyte = 1 << 20
  /// A length for targets that are not optimized in debug builds. With it, a function that needs the square of the
  /// length still takes much longer than `limit`, and a linear one takes about as long as one MiB in a release build.
  package static let shorter = 64 << 10
  /// The longest time for `shorter`, on a machine that is busy with other tests.
  package static let limit: Duration = .seconds(5)

  /// Repeated, each of these texts is the worst case of some scanner: brackets, quotation marks, escapes, separators,
  /// numbers, white space, characters of several bytes.
  private static let all = [
    "<", ">", "{", "}", "[", "]", "(", ")", "\"", "'", "\\", "/", "//", "://", "a://", "@", "%", "&", "&amp;", "=", ":",
    ";", ",", ", ", ".", "..", "-", "--", " ", "\t", "\n", "\r\n", "\u{0}", "0", "9", "1,", "a", "A", "aB", "a ", "é",
    "日本", "\u{1F600}", "e\u{301}", "\u{1F468}\u{200D}", "\u{202E}", "\u{1B}[", "#", "?", "*", "/*", "*/", "$", "$a$",
    "|",
    "[1,", "{\"a\":", "{}", "[],", "\"\",", "1e9,", "null,", "a=b;", "<a", "</a", "<![CDATA[", "]]>", "<a><", "\\u0041",
    "%41", " --a '", ": syncctl run --a '", "- ", "a: ", "&a ", "*a ", "http://a@", "2026-01-01T", "1.", "-1",
  ]

  /// The texts that this test run tries: a ninth of them, another one in each run, or all in `make torture`.
  package static let units: [String] = {
    guard testFactor == 1 else { return all }
    let first = Int.random(in: 0..<9)
    return stride(from: first, to: all.count, by: 9).map { all[$0] }
  }()

  /// The processor time that this thread has used.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func text(_ unit: String, _ bytes: Int, between begin: String, and end: String) -> String {
    begin + String(repeating: unit, count: bytes / unit.utf8.count) + end
  }

  /// Prints and returns the longest processor time of the function with `bytes` of each unit. Other tests that run at
  /// the same time do not count.
  package static func longest(
    _ name: String, units: [String] = units, bytes: Int = mebibyte, between begin: String = "", and end: String = "",
    _ body: (String) throws -> Void
  ) -> Duration {
    var longest = Duration.zero
    var worst = ""
    for unit in units {
      let text = text(unit, bytes, between: begin, and: end)
      let start = processorTime
      try? body(text)
      let time = processorTime - start
      guard time > longest else { continue }
      longest = time
      worst = unit
    }
    let line =
      "\(bytes >> 10) KiB: \(name): \(Int(longest / .milliseconds(1))) ms, worst unit \(worst.debugDescription)\n"
    FileHandle.standardOutput.write(Data(line.utf8))
    return longest
  }
}
