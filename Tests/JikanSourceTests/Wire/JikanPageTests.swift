import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Reading a page of Jikan")
struct JikanPageTests {
  @Test("items in order, with their ids, and the page's claim")
  func page() throws {
    let page = try Reader().page(
      items: [item(id: 5), item(id: 3), item(id: 5)],
      pagination: #"{"last_visible_page":1170,"has_next_page":true,"items":{"count":25,"total":29246,"per_page":25}}"#)
    #expect(page.items.map(\.key) == [5, 3, 5])
    #expect(page.claim == PageClaim(total: 29246, lastPage: 1170, hasNext: true))
    #expect(page.rejected.isEmpty)
  }

  @Test(
    "the short form of the pagination, and none",
    arguments: [
      (#"{"last_visible_page":1,"has_next_page":false}"#, PageClaim(lastPage: 1, hasNext: false)), ("{}", PageClaim()),
      ("null", PageClaim()), ("[]", PageClaim()), (#"{"last_visible_page":"x","has_next_page":true}"#, PageClaim()),
      (#"{"items":{"total":1e400}}"#, PageClaim()),
      (#"{"has_next_page":null,"last_visible_page":3}"#, PageClaim(lastPage: 3)),
    ])
  func claims(pagination: String, claim: PageClaim) throws {
    let page = try Reader().page(items: [item()], pagination: pagination)
    #expect(page.claim == claim)
    #expect(page.items.count == 1, "a bad envelope costs no item")
  }

  @Test(
    "an item without a usable id is reported: nothing may vanish in that walk",
    arguments: [
      #"{"title":"T"}"#, #"{"mal_id":null,"title":"T"}"#, #"{"mal_id":"1","title":"T"}"#, #"{"mal_id":0,"title":"T"}"#,
      #"{"mal_id":-1,"title":"T"}"#, #"{"mal_id":1.5,"title":"T"}"#, #"{"mal_id":99999999999999999999,"title":"T"}"#,
      #"{"mal_id":1.0,"title":"T"}"#, #"{"mal_id":1e2,"title":"T"}"#, #"{"mal_id":10E-1,"title":"T"}"#,
      #"{"mal_id":9223372036854775808,"title":"T"}"#, #"{"mal_id":-0,"title":"T"}"#, #"{"mal_id":1e400,"title":"T"}"#,
      #"{"mal_id":true,"title":"T"}"#, #"{"mal_id":[2],"title":"T"}"#, #"{"mal_id":2,"mal_id":"2","title":"T"}"#,
      #"{"nested":{"mal_id":2},"title":"T"}"#, "1", "null", "\"x\"", "[]", "{}",
    ])
  func noID(text: String) throws {
    let page = try Reader().page(items: [item(id: 1), text, item(id: 3)])
    #expect(page.items.map(\.key) == [1, 3])
    #expect(page.rejected.map(\.key) == [nil])
    #expect(page.rejected.first?.reason == "no_id", "\(page.rejected)")
    #expect(page.rejected.first?.detail.hasPrefix("mal_id: ") == true, "\(page.rejected)")
  }

  @Test(
    "days that exist are dates, others are not",
    arguments: [
      ("2009-04-05T00:00:00+00:00", true), ("1967-11-01T12:00:00Z", true), ("2018-01-01", true), ("0001-01-01", true),
      ("9999-12-31T23:59:59.123456789-14:59", true), ("2000-02-29", true), ("2024-02-29T00:00:00+09:00", true),
      ("1900-02-29", false), ("2023-02-29", false), ("2023-04-31", false), ("2023-13-01", false), ("2023-00-10", false),
      ("2023-01-00", false), ("0000-01-01", false), ("2009-04-05T00:00:00", false), ("2009-04-05 00:00:00Z", false),
      ("2009-04-05T24:00:00Z", false), ("2009-04-05T00:60:00Z", false), ("2009-04-05T00:00:00+0000", false),
      ("2009-04-05T00:00:00+15:00", false), ("2009-04-05T00:00:00.Z", false), ("2009", false), ("", false),
      ("Apr 5, 2009", false), ("12009-04-05", false), ("２００９-04-05", false), ("2009-04-05T00:00:00+00:00x", false),
    ])
  func dates(text: String, isValid: Bool) throws {
    for kind in JikanKind.allCases {
      let member = kind == .anime ? "aired" : "published"
      let page = try Reader(kind).page(items: [item(#""\#(member)":{"from":"\#(text)"}"#)])
      #expect(page.items.flatMap(\.misfits).map(\.path) == (isValid ? [] : ["\(member).from"]))
      #expect(page.items.map(\.key) == [1])
    }
  }

  private func refusal(_ body: String) throws -> SyncError {
    try #require(throws: SyncError.self) { try Reader().answer(body.utf8) }
  }

  @Test(
    "HTML with 200 is reported as such",
    arguments: ["<!DOCTYPE html><html><body>Just a moment…</body></html>", "\r\n\t <html>", "<"])
  func html(body: String) throws {
    #expect(try refusal(body).message.contains("answered 200 with HTML"))
  }

  @Test(
    "a body that is not a page is reported with its beginning and retried",
    arguments: [
      "", " ", "{", "nonsense", #"{"data":[{"mal_id":1}"#, "[]", "null", "{}", #"{"data":null}"#, #"{"data":{}}"#,
      #"{"data":{"mal_id":1}}"#, #"{"status":500,"type":"UpstreamException","message":"failed","error":"x"}"#,
      #"{"data":[]} trailing"#, "\u{FEFF}<html>", #"{"error":null}"#, "\r\n\t <html>\n",
    ])
  func noPage(body: String) throws {
    let error = try refusal(body)
    #expect(error.code == .upstream)
    #expect(error.disposition == .retry(after: nil))
    #expect(error.message.contains("http://test/v1/top/anime?page=7"))
    #expect(!error.description.contains("\n"))
    #expect(error.message.unicodeScalars.count < 600)
  }

  @Test("a counter changes only the counters' hash, anything else only the document's")
  func content() throws {
    let counters = ["score", "scored_by", "rank", "popularity", "members", "favorites"]
    for field in counters + ["episodes", "year", "unknown_field"] {
      let page = try Reader().page(items: [item("\"\(field)\":1"), item("\"\(field)\":2")])
      let (old, new) = (page.items[0], page.items[1])
      #expect((old.counterHash != new.counterHash) == counters.contains(field), "\(field)")
      #expect((old.contentHash == new.contentHash) == counters.contains(field), "\(field)")
      #expect(old.document != new.document && old.contentHash.count == 33, "\(field)")
    }
  }

  @Test("a hostile item's excerpt is bounded and has no controls")
  func excerpt() throws {
    let text = String(repeating: #"\u001b[2J\u202e\n"#, count: 1_000)
    let rejected = try #require(try Reader().page(items: [#"{"mal_id":"\#(text)"}"#]).rejected.first)
    let misfit = try #require(try Reader().page(items: [item("\"year\":\"\(text)\"")]).items.first?.misfits.first)
    for part in [rejected.excerpt, rejected.detail, misfit.example] {
      #expect(part.unicodeScalars.count < 600)
      #expect(!part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
  }
}
