import SyncPostgres
import Testing

@testable import SyncProgram

struct NextPageTests {
  @Test(
    "the command of the next page is this one with another cursor, as a shell takes it",
    arguments: [
      (["rankings", "jikan"], "syncctl rankings jikan --after CURSOR"),
      (["rankings", "jikan", "--after", "5114", "--limit", "3"], "syncctl rankings jikan --limit 3 --after CURSOR"),
      (["rankings", "jikan", "--after=x", "--genre", "Slice of Life"],
        "syncctl rankings jikan --genre 'Slice of Life' --after CURSOR"),
      (["favorites", "list", "--collection", "it's $HOME"],
        #"syncctl favorites list --collection 'it'\''s $HOME' --after CURSOR"#),
      (["pokedex", "list", "--type", "ほのお", "--config", ""],
        "syncctl pokedex list --type ほのお --config '' --after CURSOR"),
    ])
  func command(_ arguments: [String], _ expected: String) {
    let cursor = PageCursor(listing: "a list", values: ["1"])
    #expect(NextPage.command(arguments, after: cursor) == expected.replacing("CURSOR", with: "\(cursor)"))
  }

  @Test("digits are an id, a cursor is a cursor, and nothing else is either")
  func after() {
    let cursor = PageCursor(listing: "a list", values: ["1", nil])
    #expect(After(argument: "5114")?.start == .id(5114))
    #expect(After(argument: "\(cursor)")?.start == .cursor(cursor))
    for text in ["", "-1", "abc", "5114x", "\(cursor)x!"] { #expect(After(argument: text) == nil, "\(text)") }
  }
}
