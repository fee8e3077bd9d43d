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
    options.page = page
    options.after = nil
    let error = #expect(throws: SyncError.self) { _ = try options.request(rows: limit) }
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

  @Test("--page skips the rows before the page, and a page after the last one is an error")
  func pages() async throws {
    let rows = (1...45).map { ["\($0)"] as [String?] }
    func read(_ page: Int?, after: After? = nil) async throws -> (rows: [String?], starts: [PageStart?]) {
      var options = PageOptions()
      options.page = page
      options.after = after
      var starts: [PageStart?] = []
      let answer = try await options.request(rows: 20).read { limit, start in
        starts.append(start)
        let part = Array(rows.dropFirst(start?.offset ?? 0).prefix(21))
        let columns = [RowSet.Column(name: "n", type: .integer)]
        let total = part.isEmpty ? nil : rows.count
        return ListPage(RowSet(columns: columns, rows: part, total: total), limit: limit, listing: "x")
      }
      return (answer.rows.rows.map { $0[0] }, starts)
    }
    #expect(try await read(nil).starts == [nil])
    #expect(try await read(1).starts == [nil])
    let third = try await read(3)
    #expect(third.rows == ["41", "42", "43", "44", "45"] && third.starts == [.offset(40)])
    #expect(try await read(nil, after: After(argument: "7")).starts == [.id(7)])
    let error = await #expect(throws: SyncError.self) { _ = try await read(4) }
    #expect(error?.code == .missing && error?.message == "there is no page 4: 45 results are on 3 pages")
  }
}
