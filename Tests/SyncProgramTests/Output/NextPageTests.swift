import Foundation
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite struct NextPageTests {
  private static let cursor = PageCursor(listing: "x", values: ["1", nil])

  @Test(arguments: [
    (["itunes", "search", "jack johnson", "--page", "2", "--refresh"], "itunes search 'jack johnson' --after C"),
    (["itunes", "search", "--page=2", "--", "--page"], "itunes search --after C -- --page"),
    (["pokedex", "list", "--after", "25", "--limit", "5"], "pokedex list --limit 5 --after C"),
    (["pokedex", "list", "--after=c1", "--type", "ほのお"], "pokedex list --type ほのお --after C"),
    (["itunes", "search", "it's"], #"itunes search 'it'\''s' --after C"#),
    (["rankings", "jikan", "--config", ""], "rankings jikan --config '' --after C"),
  ])
  func theSameCommandWithTheCursor(arguments: [String], line: String) {
    let command = NextPage.command(arguments, after: Self.cursor, replacing: ["--page": 1, "--refresh": 0])
    #expect(command == "syncctl " + line.replacing("C", with: Self.cursor.description))
  }

  @Test("digits are an id, a cursor is a cursor, and nothing else is either")
  func after() {
    #expect(After(argument: "5114")?.start == .id(5114))
    #expect(After(argument: "\(Self.cursor)")?.start == .cursor(Self.cursor))
    for text in ["", "-1", "abc", "5114x", "\(Self.cursor)x!"] { #expect(After(argument: text) == nil, "\(text)") }
  }

  @Test("a page that cannot be is a usage error", arguments: [(0, 20), (-1, 20), (.max, 20), (2, 0), (1, -1)])
  func wrong(page: Int, limit: Int) {
    var options = PageOptions()
    (options.page, options.after) = (page, nil)
    let error = #expect(throws: SyncError.self) { _ = try options.size(limit) }
    #expect(error?.code == .usage)
  }

  @Test("a terminal is told which part it has and the number of the next page")
  func line() {
    func line(_ number: Int, _ rows: Int, of total: Int?, _ hasNext: Bool) -> String? {
      NextPage.line(number, size: 20, rows: rows, total: total, hasNext: hasNext)
    }
    #expect(line(1, 20, of: 1991, true) == "1–20 of 1,991 · next: --page 2")
    #expect(line(100, 11, of: 1991, false) == "1,981–1,991 of 1,991")
    #expect(line(2, 20, of: nil, true) == "21–40 · next: --page 3")
    #expect(line(1, 7, of: 7, false) == nil && line(3, 0, of: nil, false) == nil)
  }

  private static func cursor(_ number: Int) -> PageCursor { PageCursor(listing: "x", values: ["\(number)"]) }

  @Test("the cursors of a question are kept in the user's cache for a day, whatever its files hold")
  func kept() throws {
    let home = try TemporaryFolder()
    let folder = "\(home.path)/cache/syncctl/pages"
    func kept(_ words: [String] = ["a"], _ database: String = "m", after seconds: Double = 0) -> KeptPages {
      let environment = ["XDG_CACHE_HOME": "\(home.path)/cache", "HOME": "/nowhere"]
      return KeptPages(of: words, in: database, environment: { environment[$0] }, now: Date() + seconds)
    }
    func turn(_ number: Int, _ start: PageCursor? = nil) -> PageTurn {
      PageTurn(number: number, size: 5, start: start.map { .cursor($0) })
    }
    kept().keep(Self.cursor(2), after: turn(1))
    kept().keep(Self.cursor(3), after: turn(2, Self.cursor(2)))
    #expect(kept().starts == [2: Self.cursor(2), 3: Self.cursor(3)])
    #expect(kept(["b"]).starts.isEmpty && kept(["a"], "n").starts.isEmpty && kept(after: 90_000).starts.isEmpty)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    kept().keep(Self.cursor(9), after: turn(1))
    #expect(kept().starts == [2: Self.cursor(9)])
    _ = try home.write("2 c0\n-1 \(Self.cursor)\n\u{0}\n3 \(Self.cursor)", to: "cache/syncctl/pages/\(name)")
    #expect(kept().starts == [3: Self.cursor])

    for number in 0..<130 { kept(["\(number)"]).keep(Self.cursor(2), after: turn(1)) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 100)
    #expect(kept(["129"]).starts.count == 1)
    let closed = KeptPages(of: ["a"], in: "m", environment: { $0 == "HOME" ? "/dev/null" : nil })
    closed.keep(Self.cursor(2), after: turn(1))
    #expect(closed.starts.isEmpty)
  }
}
