import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Looking up an item of Jikan at its own address")
struct JikanLookupTests {
  private func entry(_ body: String, key: Int64 = 5, _ kind: JikanKind = .anime) throws -> Page.Entry {
    guard case .item(let entry) = try Reader(.catalogue(kind)).lookup(key, body.utf8) else { throw Gone() }
    return entry
  }

  private struct Gone: Error {}

  @Test("an item has the document and the hashes that it has on a page, wherever it is and however it is written")
  func sameHashes() throws {
    let members =
      #""score":8.75,"rank":3,"aired":{"from":"2009-04-05T00:00:00+00:00"},"x":"caf\u00e9","approved":false"#
    let onPage = try #require(try Reader().page(items: [item(members, id: 5)]).items.first)
    for body in [
      "{\"data\":\(item(members, id: 5))}",
      "\n {\"status\":200,\"data\" :\n \(item(members, id: 5).replacing(",", with: " ,\n")) , \"links\":[{\"mal_id\":9}]}",
      #"{"data":{"x":"café","aired":{"from":"2009-04-05T00:00:00+00:00"},"approved":false,"rank":3,"title":"T","#
        + #""mal_id":5,"score":8.75}}"#,
    ] {
      guard case .item(let single) = try entry(body) else {
        Issue.record("rejected: \(body)")
        continue
      }
      #expect(single.key == 5)
      #expect(single.document == onPage.document)
      #expect(single.contentHash == onPage.contentHash)
      #expect(single.counterHash == onPage.counterHash)
    }
  }

  @Test("an item with members that do not fit is taken")
  func misfits() throws {
    for (members, path) in [(#""year":"soon""#, "year"), (#""published":{"from":"2020-02-30"}"#, "published.from")] {
      guard case .item(let item) = try entry("{\"data\":\(item(members, id: 5))}", .manga) else {
        Issue.record("not taken: \(members)")
        return
      }
      #expect(item.key == 5 && item.misfits.map(\.path) == [path])
    }
  }

  @Test(
    "another item, or none, proves nothing",
    arguments: [
      "{\"data\":\(item(id: 6))}", "{\"data\":\(item(#""year":"2020""#, id: 6))}", #"{"data":{}}"#, #"{"data":null}"#,
      #"{"data":{"title":"T"}}"#, #"{"data":[]}"#, "{\"data\":[\(item(id: 5))]}", item(id: 5), "{}", "", "[]",
      #"{"data":{"mal_id":5,"title":"T"}"#, #"{"data":{"mal_id":5,"title":"T",}}"#, "<html>maintenance</html>",
      #"{"status":404,"type":"BadResponseException","message":"Resource does not exist"}"#,
    ])
  func wrongItem(body: String) throws {
    let error = try #require(throws: SyncError.self) { try Reader(.catalogue(.anime)).lookup(5, body.utf8) }
    #expect(error.code == .upstream)
    #expect(error.disposition == .retry(after: nil))
    #expect(error.message.contains("http://test/v1/anime/5"))
    #expect(error.hint?.isEmpty == false)
  }

  @Test(
    "a 404 in the API's own words means that it was removed",
    arguments: [
      #"{"status":404,"type":"BadResponseException","message":"Resource does not exist"}"#,
      #"{"status":404,"type":"HttpException","message":"Not Found","error":null}"#,
      #"{"status":404,"type":"ResourceNotFoundException","message":"x","path":"/v1/anime/5"}"#,
      #"{"type":"AnythingElse"}"#,
    ])
  func gone(body: String) throws {
    guard case .gone = try Reader(.catalogue(.anime)).lookup(5, body.utf8, status: 404) else {
      Issue.record("not gone")
      return
    }
  }

  @Test(
    "any other 404 is a temporary error",
    arguments: [
      "", "404 page not found\n", #"{"message":"no Route matched with those values"}"#, " \n<!DOCTYPE html>not found",
      #"{"status":404,"message":"Not Found"}"#, #"{"type":null,"status":404}"#, #"{"type":404}"#, "{}", "[]", "null",
      #"{"type":"BadResponseException","status":404"#, #""BadResponseException""#,
    ])
  func missingElsewhere(body: String) throws {
    let error = try #require(throws: SyncError.self) {
      try Reader(.catalogue(.anime)).lookup(5, body.utf8, status: 404)
    }
    #expect(error.code == .upstream)
    #expect(error.disposition == .retry(after: nil))
    #expect(error.message.hasPrefix("http://test/v1/anime/5 answered 404 with "))
    #expect(error.hint?.isEmpty == false)
  }

  @Test("no other status means that, whatever its body", arguments: [403, 429, 500, 503, 301, 204, 410])
  func notGone(status: Int) {
    for body in ["", #"{"status":404,"type":"BadResponseException","message":"Resource does not exist"}"#] {
      #expect(throws: SyncError.self) { try Reader(.catalogue(.anime)).lookup(5, body.utf8, status: status) }
    }
  }
}
