import SyncPostgres
import Testing

@testable import SyncProgram

/// The command that a listing prints for its next page.
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
}
