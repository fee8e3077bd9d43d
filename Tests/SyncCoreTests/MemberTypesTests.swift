import SyncCore
import Testing

/// `JikanFieldTests` tests every type in every member.
struct MemberTypesTests {
  static let types = MemberTypes(
    [
      "title": .text, "rank": .whole, "score": .number, "airing": .flag, "aired": .object(MemberTypes(["from": .date])),
    ], expected: ["title"])

  private func misfits(_ item: String) -> [String] {
    Self.types.findings(in: Array(item.utf8)).misfits.map { "\($0.path): \($0.example)" }
  }

  @Test(
    "items whose members fit",
    arguments: [
      #"{"title":"a"}"#, #"{"title":""}"#, #"{"title":"a \"b\" \\"}"#, #"{"title":1e400}"#,
      #"{"aired":{"from":"2020-01-31","to":null},"airing":false,"rank":-999999999,"score":8.25,"title":"進撃"}"#,
      #"{"aired":{"from":null},"airing":null,"rank":null,"score":10,"title":"a"}"#,
      #"{"aired":{},"b":[{"title":1},"]"],"c":{"rank":"}"},"title":"a","zz":1}"#,
      #"{"\u0000":1,"title":"a"}"#, #"{"airing":"true","rank":"1","score":"-0.5","title":"a"}"#,
    ])
  func fitting(_ item: String) {
    #expect(misfits(item) == [])
  }

  @Test(
    "a member that does not fit is named, with what was sent, and those after it are read",
    arguments: [
      (#"{"a":1}"#, "title: missing"), ("{}", "title: missing"), (#"{"zz":1}"#, "title: missing"),
      (#"{"title":null}"#, "title: null"), (#"{"rank":2147483648,"title":"a"}"#, "rank: 2147483648"),
      (#"{"rank":1.5,"score":"x","title":"a"}"#, #"rank: 1.5, score: "x""#),
      (#"{"score":1e400,"title":"a"}"#, "score: 1e400"), (#"{"airing":0,"title":"a"}"#, "airing: 0"),
      (#"{"aired":{"from":"2020-02-31"},"airing":[],"title":{}}"#, #"aired.from: "2020-02-31", airing: [], title: {}"#),
      (#"{"aired":[{"from":1},"}"],"title":"a"}"#, #"aired: [{"from":1},"}"]"#),
      (#"{"aired":{"from":1},"title":"a"}"#, "aired.from: 1"),
      (#"{"\u0000":"rank","rank":"\"","title":"a"}"#, #"rank: "\"""#),
    ])
  func misfits(_ item: String, _ found: String) {
    #expect(misfits(item).joined(separator: ", ") == found)
  }

  @Test(
    "an alias has what the column of its original has; one that says something else is told",
    arguments: [
      (#"{"score":8.5,"scored":8.5}"#, #"{"score":8.5,"scored":8.5}"#, false),
      (#"{"score":8.5,"scored":"8.50"}"#, #"{"score":8.5,"scored":8.5}"#, false),
      (#"{"score":8.5,"scored":7.1}"#, #"{"score":8.5,"scored":8.5}"#, true),
      (#"{"score":8.5,"scored":null}"#, #"{"score":8.5,"scored":8.5}"#, true),
      (#"{"score":"8.5","scored":"8.5"}"#, #"{"score":8.5,"scored":8.5}"#, false),
      (#"{"score":null,"scored":[8]}"#, #"{"score":null,"scored":null}"#, false),
      (#"{"score":"x","scored":8}"#, #"{"score":null,"scored":null}"#, true),
      (#"{"rank":8,"scored":8}"#, #"{"rank":8,"scored":null}"#, true), (#"{"score":1}"#, #"{"score":1}"#, false),
    ])
  func alias(_ item: String, _ restated: String, _ isOther: Bool) {
    let types = MemberTypes(["rank": .whole, "score": .number, "scored": .alias(of: "score")])
    #expect(String(decoding: types.restated(Array(item.utf8)), as: UTF8.self) == restated)
    #expect(types.findings(in: Array(item.utf8)).hasOtherAlias == isOther)
    #expect(types.aliases == ["scored"])
  }
}
