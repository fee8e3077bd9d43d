import SyncCore
import Testing

@testable import PokeAPISource

@Suite("What an answer of PokeAPI is before its body is read")
struct PokeAPIStatusTests {
  private static let text = ["content-type": "text/plain; charset=utf-8"]

  private func errors(_ status: Int, _ body: String, headers: [String: String] = text) throws -> [SyncError] {
    let reader = PokeAPIStreamReader()
    return [
      try #require(throws: SyncError.self) { try reader.answer(body.utf8, status: status, headers: headers) },
      try #require(throws: SyncError.self) { try reader.lookup(25, body.utf8, status: status, headers: headers) },
    ]
  }

  private static let retry = SyncError.Disposition.retry(after: nil)

  private static let rows: [(Int, String, SyncError.Disposition)] = [
    (400, "Bad Request", .stopStream), (401, "Unauthorized", .stopRun), (403, "Forbidden", retry),
    (403, "<!DOCTYPE html><title>Just a moment...</title>", retry), (403, "error code: 1010", retry),
    (405, "Method Not Allowed", .stopStream), (408, "", retry), (418, "", .stopStream), (204, "", .stopStream),
    (429, "Too Many Requests", .throttled(after: .seconds(60))), (500, "Internal Server Error", retry),
    (502, "<html>", retry), (503, "", retry), (504, "Gateway Timeout", retry), (522, "error code: 522", retry),
    // The next attempt requests another form of the address, which the server can answer without a redirect.
    (301, "Moved Permanently", retry), (308, "", retry), (302, "", retry),
    (200, "OK", retry), (200, "", retry), (200, "<html>maintenance</html>", retry),
    (200, #"{"id":25,"results":[]}"#, retry),
  ]

  @Test("each has its disposition, the request, the message and what to do", arguments: rows)
  func known(status: Int, body: String, disposition: SyncError.Disposition) throws {
    let urls = ["http://test/api/v2/pokemon?offset=0&limit=20", "http://test/api/v2/pokemon/25/"]
    for (error, url) in zip(try errors(status, body), urls) {
      #expect(error.disposition == disposition && error.code == .upstream)
      #expect(error.message.hasPrefix(url), "\(error.message)")
      if !(300..<400).contains(status) {
        #expect(error.message.contains("answered \(status)") && error.message.contains(body))
      }
      #expect(error.hint?.isEmpty == false && !error.description.contains("\n"))
    }
  }

  @Test(
    "404 means that a document is missing, in any words, and of a list nothing",
    arguments: ["Not Found", "", #"{"detail":"No"}"#, "<html>"])
  func missing(body: String) throws {
    for headers in [Self.text, PokeAPIStreamReader.json, [:]] {
      guard case .gone = try PokeAPIStreamReader().lookup(25, body.utf8, status: 404, headers: headers) else {
        Issue.record("not read as missing")
        continue
      }
      // After the end of a list, PokeAPI answers with an empty page, so a 404 does not mean the end.
      for page in [1, 9] {
        let error = try #require(throws: SyncError.self) {
          try PokeAPIStreamReader().answer(body.utf8, status: 404, headers: headers, page: page)
        }
        #expect(error.disposition == .retry(after: nil) && error.message.contains("answered 404"))
      }
    }
  }

  @Test(
    "an answer says that it is JSON",
    arguments: [
      ("application/json", true), ("application/json; charset=utf-8", true), ("Application/JSON;charset=UTF-8", true),
      (" application/json ; x=y", true), ("application/problem+json", true), ("text/plain", false), ("", false),
      ("application/jsonp", false), ("text/html; x=application/json", false), ("json", false),
    ])
  func contentType(type: String, isJSON: Bool) throws {
    let headers = ["content-type": type]
    guard isJSON else {
      let error = try #require(throws: SyncError.self) {
        try PokeAPIStreamReader().lookup(25, #"{"id":25}"#.utf8, headers: headers)
      }
      #expect(error.disposition == .retry(after: nil) && error.message.contains("in place of JSON"))
      return
    }
    guard case .item = try PokeAPIStreamReader().lookup(25, #"{"id":25}"#.utf8, headers: headers) else {
      Issue.record("not read")
      return
    }
  }

  @Test(
    "a body that is not a JSON document is a fault of a cache, whatever its content type",
    arguments: [
      "OK", "", " ", "null", "7", "true", #""OK""#, "{", "[", #"{"id":25"#, #"{"id":25}}"#, #"{"id":25,}"#, "<html>",
      "\u{FEFF}", "{'id':25}",
    ])
  func noDocument(body: String) throws {
    for endpoint in ["pokemon", "pokemon-encounters"] {
      let error = try #require(throws: SyncError.self) { try PokeAPIStreamReader(endpoint).lookup(25, body.utf8) }
      #expect(error.disposition == .retry(after: nil) && error.code == .upstream)
      #expect(error.message.contains("/pokemon/25") && error.hint?.isEmpty == false)
    }
  }

  @Test("bytes that are no UTF-8 are a fault too")
  func notUTF8() throws {
    for body: [UInt8] in [[0xFF, 0xFE], Array(#"{"id":25,"name":""#.utf8) + [0xC3] + Array(#""}"#.utf8)] {
      let error = try #require(throws: SyncError.self) { try PokeAPIStreamReader().lookup(25, body) }
      #expect(error.disposition == .retry(after: nil))
    }
  }

  @Test("a hostile body comes out bounded, on one line, without controls")
  func hostile() throws {
    let text = String(repeating: "\u{1B}[2J\n\u{202E}é", count: 100_000)
    for status in [200, 400, 403, 500] {
      for error in try errors(status, text) {
        #expect(error.message.unicodeScalars.count < 400)
        #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      }
    }
  }
}
