import Foundation
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncProgram

@Suite("The time for a file, or of a text of a service")
struct FileTimeTests {
  private static let functions: [(String, @Sendable (String) throws -> Void)] = [
    ("TextLayout.advice", { _ = TextLayout.advice($0, to: 80) }),
    ("TextLayout.advice, command", { _ = TextLayout.advice("failed: syncctl run" + $0 + "|", to: 80) }),
    ("TerminalText.safe", { _ = TerminalText.safe($0) }),
    ("TerminalText.truncate", { _ = TerminalText.truncate($0, to: 60) }),
    ("Hyperlink.removed", { _ = Hyperlink.removed(from: Array(("\u{1B}]8;;" + $0).utf8)) }),
    ("String.withoutPaths", { _ = $0.withoutPaths }),
    ("FavoritesFile.read", { _ = try FavoritesFile.read($0) }),
    ("FavoritesFile.read, JSON", { _ = try FavoritesFile.read("[" + $0) }),
    ("FavoritesFile.read, lines", { _ = try FavoritesFile.read("{" + $0) }),
    ("FavoritesFile.read, CSV", { _ = try FavoritesFile.read("collection,source,kind,id\n" + $0) }),
    ("MyAnimeListFile.read", { _ = try MyAnimeListFile.read($0, into: "x") }),
    ("MyAnimeListFile.read, entry", { _ = try MyAnimeListFile.read("<myanimelist><anime><x>" + $0, into: "x") }),
    ("MyAnimeListFile.read, skipped", { _ = try MyAnimeListFile.read("<myanimelist><x>" + $0, into: "x") }),
    ("Report", { _ = try Report(name: "x", file: $0) }),
    ("Report, literal", { _ = try Report(name: "x", file: "SELECT e'" + $0) }),
    ("Report, header", { _ = try Report(name: "x", file: "-- title: " + $0) }),
    ("ConfigurationFile.root", { try readConfiguration($0) }),
    ("PageCursor", { _ = PageCursor($0) }),
    ("Moment", { _ = Moment($0) }),
    ("FavoriteWords.isDate", { _ = FavoriteWords.isDate($0) }),
  ]

  private static func readConfiguration(_ text: String) throws {
    let path = FileManager.default.temporaryDirectory.path + "/syncctl-worst-text-\(getpid()).yaml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(filePath: path))
    _ = try ConfigurationFile.root(of: path)
  }

  @Test("linear", arguments: functions.indices)
  func time(index: Int) {
    let (name, function) = Self.functions[index]
    #expect(WorstTexts.longest(name, bytes: WorstTexts.shorter, function) < WorstTexts.limit, "\(name)")
  }
}
