import Foundation
import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import SyncProgram

extension EndToEnd {
  @Suite struct Terminals {
    private static let hostile: String = {
      let values: [UInt32] = [
        0x07, 0x08, 0x1B, 0x7F, 0x85, 0x9B, 0x9D, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x200B,
        0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0x3164, 0xFE00, 0xFE0F,
        0xFEFF, 0xFFA0, 0xFFF9, 0xE0041, 0xE0100,
      ]
      return values.compactMap(Unicode.Scalar.init).map { "a\($0)" }.joined()
    }()

    private static let commands = [
      "rankings jikan", "rankings jikan --studio \"$HOSTILE\"", "rankings history anime 1 --no-plot",
      "rankings history anime 1", "rankings movers", "anime show 1", "anime show \"$HOSTILE\"",
      "anime search title", "anime search \"$HOSTILE\"", "seasons", "genres", "airing", "favorites list",
      "favorites list --collection \"$HOSTILE\"", "favorites changes --since 1d", "favorites export",
      "report hidden-gems", "report quarantine", "report \"$HOSTILE\"", "status", "runs list", "runs show 1", "verify",
      "run --dry-run --full --stream top-anime", "health --source jikan", "health --stream \"$HOSTILE\"", "jobs list",
      "config", "doctor", "\"$HOSTILE\"", "rankings --\"$HOSTILE\"", "pokedex show \"$HOSTILE\"",
    ]

    static let hasScript = ["/usr/bin/script", "/bin/script"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
      "no command prints what a terminal obeys or does not show", .ownersAlone("has favorites"),
      .enabled(if: hasScript, "script(1) is not installed"))
    func everyCommand() async throws {
      let title = "title \(Self.hostile)"
      let extra = #", "studios": [{"mal_id": 1, "type": "anime", "name": \#(JSONText.string(title)), "url": "u"}]"#
      var list = try HandmadeList.numbered(3...30)
      list.items = [try HandmadeList.item(1, title: title, extra: extra), #"{"mal_id": 2, "title": 7}"#] + list.items
      try await Mirror.with(list.upstream) { fresh, _ in
        let mirror = fresh.asOwner.with(["HOSTILE": title, "TERM": "dumb"])
        try await mirror.succeed("run", "--stream", "top-anime")
        _ = try await mirror.syncctl("favorites", "add", "jikan", "anime", "1", "--note", title)
        // After this edit, `verify` and a dry run report the hostile titles as differences.
        _ = try await mirror.sql("UPDATE jikan.media SET title = title || 'x', url = title WHERE mal_id = 1")
        let lines = Self.commands.flatMap { command in
          ["table", "json", "csv"].map { format in
            "printf '== %s %s\\n' \(command.split(separator: " ")[0].filter(\.isLetter)) \(format)\n"
              + "\(mirror.program.path) \(command) --format \(format) < /dev/null\n"
          }
        }
        let file = try mirror.home.write(lines.joined(), to: "commands")
        let session = try await ProgramUnderTest(path: "/bin/sh").run(
          ["-c", #"exec script -qec "sh $1" /dev/null < /dev/null"#, "sh", file],
          environment: mirror.wholeEnvironment, in: mirror.home.path)
        let printed = session.standardOutput
        for (number, line) in printed.split(whereSeparator: \.isNewline).enumerated() {
          let bad = line.unicodeScalars.filter { Self.isForbidden($0) }
          #expect(
            bad.isEmpty,
            "line \(number): \(bad.map { String($0.value, radix: 16) }): \(TerminalText.safe(String(line)))")
        }
        #expect(!printed.unicodeScalars.contains("\u{2028}") && !printed.unicodeScalars.contains("\u{85}"))
        // No checked character is at the end of the title, because a table cuts the end.
        #expect(printed.contains(#"a\u{7}"#) && printed.contains(#"\u009b"#) && printed.contains(#"\u202e"#))
        #expect(printed.contains(#""column": "title""#), "verify found nothing: \(printed.suffix(2000))")
      }
    }

    /// Whether the scalar must not be printed, decided without the code under test.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
      if "\r\n\u{200D}".unicodeScalars.contains(scalar) { return false }
      return OutputHostileTests.isForbidden(scalar) || scalar.properties.generalCategory == .format
    }
  }
}

@Suite("The last look at what a terminal gets")
struct TerminalGateTests {
  private static let everything = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    .filter { $0.isUnsafe }

  @Test("what a renderer lets through is escaped as in JSON; lines and the program's own styling are kept")
  func gate() {
    let styled = "\u{1B}[1;4mtitle\u{1B}[0m\r\n\u{1B}[31mred\u{1B}[0m 葛\u{E0100} ❤\u{FE0F}\n"
    #expect(Array(TerminalText.gated(styled).unicodeScalars) == Array(styled.unicodeScalars))
    #expect(TerminalText.gated("\u{1B}[8m\r\u{9B}\u{202E}\t") == #"\u001b[8m\u000d\u009b\u202e\u0009"#)
    for scalar in Self.everything where scalar != "\n" {
      #expect(TerminalText.gated("a\(scalar)b") == "a\(scalar.jsonEscape)b")
    }
  }

  @Test("the flags of England, Scotland and Wales are printed in every format; tags anywhere else are escaped")
  func flags() throws {
    let flags = OutputTerminalTextTests.flags
    let folder = try TemporaryFolder()
    let listing = Listing(
      columns: [Column("title")],
      rows: [[.text("\(flags)\u{E0067}\u{1B}")], [.json("[\"\u{E007F}\(flags)\u{1F3F4}\u{E0067}\"]")]])
    for format in [OutputFormat.table, .json, .ndjson, .csv] {
      let path = try folder.write("", to: "\(format)")
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      var channel = StandardStreams.Channel(descriptor: file.fileDescriptor)
      channel.isTerminal = true
      try StandardStreams(output: channel, error: channel).print(listing, as: format)
      let printed = try String(contentsOfFile: path, encoding: .utf8)
      let parts = printed.split(separator: flags, omittingEmptySubsequences: false)
      #expect(parts.count == 3, "\(format): \(printed.debugDescription)")
      let bad = parts.joined(separator: "").unicodeScalars.filter { $0.isUnsafe && $0 != "\n" && $0 != "\r" }
      #expect(bad.isEmpty, "\(format): \(printed.debugDescription)")
    }
  }

  @Test("every way of printing passes it where there is a terminal")
  func everyWay() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "printed")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    let hostile = Self.everything.map { "a\($0)" }.joined()
    var channel = StandardStreams.Channel(descriptor: file.fileDescriptor)
    channel.isTerminal = true
    let streams = StandardStreams(output: channel, error: channel)
    try streams.print(rendered: hostile + "\n")
    try streams.print(line: hostile)
    try streams.print(lines: [hostile])
    try streams.print([StyledLine(hostile)])
    let listing = Listing(
      columns: [Column(hostile)], rows: [[.text(hostile)], [.json("\"\(hostile.dropFirst(66))\"")]])
    for format in [OutputFormat.table, .json, .ndjson, .csv] { try streams.print(listing, as: format) }
    streams.note(hostile)
    streams.note(unbroken: hostile)
    streams.warn(hostile)
    streams.fail(hostile, hint: hostile)
    let printed = try String(contentsOfFile: path, encoding: .utf8)
    #expect(printed.unicodeScalars.count > 12 * Self.everything.count)
    #expect(!printed.unicodeScalars.contains { $0.isUnsafe && $0 != "\n" && $0 != "\r" })
  }
}
