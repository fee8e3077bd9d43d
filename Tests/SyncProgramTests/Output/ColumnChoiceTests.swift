import ArgumentParser
import SyncCore
import Testing

@testable import SyncProgram

@Suite struct ColumnChoiceTests {
  private static var listing: Listing {
    Listing(
      columns: [Column("id"), Column("title", title: "name", fit: .title), Column("score")],
      rows: [[.int(1), .text("進撃の巨人"), .number("8.5")], [.int(2), .text(String(repeating: "x", count: 50)), .null]],
      envelope: "rows"
    ).laidOut(hiding: ["score"])
  }

  private static func text(_ words: [String], width: Int? = nil) throws -> String {
    let output = try FormatOptions.parse(words)
    let chosen = try output.columns.map { try listing.choosing($0) } ?? listing
    var options = RenderingOptions(width: width)
    options.hasHeader = !output.noHeader
    return chosen.text(as: output.format, options)
  }

  @Test("columns are those that were named, in that order, hidden ones too, in every format")
  func chosen() throws {
    #expect(try Self.text(["--format", "json", "--columns", "score,id"]).contains(#"{"score":8.5,"id":1}"#))
    #expect(try Self.text(["--format", "csv", "--columns", "score, id,score"]) == "score,id\r\n8.5,1\r\n,2\r\n")
    #expect(try Self.text(["--columns", "score,title"]).hasPrefix("score  name\n 8.50  進撃の巨人\n"))
    #expect(try Self.text(["--columns", "id", "--no-header"]) == "1\n2\n")
    #expect(try Self.text(["--format", "csv", "--columns", "Name,id"]).hasPrefix("title,id\r\n"))
    #expect(try Self.text(["--format", "csv", "--no-header"]).hasPrefix("1,進撃の巨人,8.5\r\n"))
  }

  @Test("a narrow terminal cuts chosen columns and omits none")
  func narrow() throws {
    for width in 15...80 {
      let lines = try Self.text(["--columns", "title,id,score"], width: width).split(separator: "\n")
      #expect(lines.first?.hasSuffix("score") == true && lines.last?.contains("–") == true, "\(width)")
      #expect(lines.allSatisfy { TerminalText.displayWidth(String($0)) <= width }, "\(width)")
    }
  }

  @Test(arguments: [("titel", "did you mean title? known: id, title, score"), ("picture", "known: id, title, score")])
  func unknown(word: String, hint: String) throws {
    let error = #expect(throws: SyncError.self) { try Self.text(["--columns", "id,\(word)"]) }
    #expect(error?.code == .usage && error?.message == "there is no column \(word)")
    #expect(error?.hint == hint)
  }

  @Test("no column at all is an error of the command line")
  func none() {
    for word in ["", ",", " , "] { #expect(throws: (any Error).self) { try FormatOptions.parse(["--columns", word]) } }
  }
}
