import Testing

@testable import SyncSources

/// What `PlainTypes` accepts and decoding does not would be stored with a wrong type: `JikanFieldTests` has every type
/// in every member.
struct PlainTypesTests {
  static let types = PlainTypes(
    [
      "title": .text, "rank": .whole, "score": .number, "airing": .flag,
      "aired": .object(PlainTypes(["from": .date])),
    ], required: ["title"])

  @Test(
    "items without anything special are accepted",
    arguments: [
      #"{"title":"a"}"#, #"{"title":""}"#, #"{"title":"a \"b\" \\"}"#,
      #"{"aired":{"from":"2020-01-31","to":null},"airing":false,"rank":-999999999,"score":8.25,"title":"進撃"}"#,
      #"{"aired":{"from":null},"airing":null,"rank":null,"score":10,"title":"a"}"#,
      #"{"aired":{},"b":[{"title":1},"]"],"c":{"rank":"}"},"title":"a","zz":1}"#,
    ])
  func plain(_ item: String) {
    #expect(Self.types.accept(Array(item.utf8)))
  }

  @Test(
    "decoding has to tell of all others",
    arguments: [
      "", "[]", "{", #"{"a":1}"#, "{}", #"{"title":null}"#, #"{"title":1}"#, #"{"title":"a""#,
      #"{"rank":1000000000,"title":"a"}"#, #"{"rank":1.0,"title":"a"}"#, #"{"rank":1e1,"title":"a"}"#,
      #"{"rank":"1","title":"a"}"#, #"{"rank":-,"title":"a"}"#, #"{"score":1.,"title":"a"}"#,
      #"{"score":1e400,"title":"a"}"#, #"{"airing":"true","title":"a"}"#, #"{"airing":0,"title":"a"}"#,
      #"{"aired":{"from":"2020-02-31"},"title":"a"}"#, #"{"aired":{"from":1},"title":"a"}"#,
      #"{"aired":[],"title":"a"}"#, #"{"\u0000":1,"title":"a"}"#,
    ])
  func special(_ item: String) {
    #expect(!Self.types.accept(Array(item.utf8)))
  }
}
