import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("What an answer's status means")
struct JikanStatusTests {
  private func error(_ status: Int, _ body: String, headers: [String: String] = [:]) throws -> SyncError {
    try #require(throws: SyncError.self) { try Reader().answer(body.utf8, status: status, headers: headers) }
  }

  private static let retry = SyncError.Disposition.retry(after: nil)
  private static let minute = SyncError.Disposition.throttled(after: .seconds(60))

  private static func problem(_ status: Int, _ type: String, _ rest: String) -> String {
    #"{"status":\#(status),"type":"\#(type)",\#(rest)}"#
  }

  private static let rows: [(Int, String, SyncError.Disposition, String)] = [
    (
      400, problem(400, "ValidationException", #""messages":{"limit":["Value 26 is higher …"]},"error":"Invalid.""#),
      .stopStream, "ValidationException: Value 26 is higher"
    ),
    (
      400, problem(400, "BadRequestException", #""message":"No.","error":null"#), .stopStream,
      "BadRequestException: No."
    ),
    (405, problem(405, "HttpException", #""message":"Method Not Allowed""#), .stopStream, "Method Not Allowed"),
    (
      429, #"{"status":"429","type":"RateLimitException","message":"rate-limited.","error":null}"#, minute,
      "rate-limited."
    ),
    (429, problem(429, "RateLimitException", #""message":"rate limited by MyAnimeList.""#), minute, "by MyAnimeList"),
    (500, problem(500, "UpstreamException", #""message":"Failed.","error":"…""#), retry, "UpstreamException: Failed."),
    (500, problem(500, "ParserException", #""message":"Unable to parse","report_url":"https://…""#), retry, "to parse"),
    (500, problem(500, "Exception", #""message":"Unhandled","trace":"file at line n""#), retry, "Unhandled"),
    (503, "", retry, "503"),
    (504, problem(504, "BadResponseException", #""message":"Jikan failed to connect""#), retry, "failed to connect"),
    (521, "<html>down</html>", retry, "<html>down</html>"), (403, "<html>blocked</html>", retry, "blocked"),
    (401, #"{"status":401,"message":"key"}"#, .stopRun, "key"), (408, "", retry, "408"), (418, "", .stopStream, "418"),
    (204, "", .stopStream, "204"), (304, "", retry, "answered 304 (not modified) to a request without a validator"),
  ]

  @Test("each known error has its disposition, the service's words, the request and what to do", arguments: rows)
  func known(status: Int, body: String, disposition: SyncError.Disposition, says: String) throws {
    let error = try error(status, body)
    #expect(error.disposition == disposition)
    #expect(error.code == .upstream)
    #expect(error.message.contains(says), "\(error.message)")
    #expect(error.message.contains("http://test/v1/top/anime?page=7&limit=50"))
    #expect(error.message.contains("\(status)"))
    #expect(error.hint?.isEmpty == false)
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "a 404 is 'not found', whatever its body says",
    arguments: [
      "", "<html>", #"{"status":404,"type":"BadResponseException","message":"Resource does not exist"}"#,
      #"{"status":200,"data":[]}"#, #"{"status":500}"#,
    ])
  func missing(body: String) throws {
    guard case .notFound = try Reader().answer(body.utf8, status: 404) else {
      Issue.record("not read as 'not found'")
      return
    }
  }

  @Test("a page refused for its number is the service's cap, but not page 1")
  func pageCap() throws {
    let refusal = #"{"status":400,"type":"ValidationException","messages":{"page":["The page must not be greater …"]}}"#
    for list in [JikanList.top(JikanTopList(kind: .anime)), .catalogue(.manga), .schedule(filter: "monday")] {
      guard case .pageCap = try Reader(list).answer(refusal.utf8, status: 400, page: 1001) else {
        Issue.record("\(list.name): not read as the cap")
        continue
      }
      #expect(throws: SyncError.self) { try Reader(list).answer(refusal.utf8, status: 400, page: 1) }
      #expect(throws: SyncError.self) { try Reader(list).answer(refusal.utf8, status: 500, page: 1001) }
    }
    let genres = Reader(.genres(JikanGenreList(kind: .anime, facet: .themes)))
    #expect(throws: SyncError.self) { try genres.answer(refusal.utf8, status: 400, page: 1001) }
    for other in [
      #"{"status":400,"type":"ValidationException","messages":{"page":["too high"],"limit":["too high"]}}"#,
      #"{"status":400,"type":"ValidationException","messages":{"limit":["The page must not be greater"]}}"#,
      #"{"status":400,"type":"ValidationException","messages":{}}"#,
      #"{"status":400,"type":"BadRequestException","messages":{"page":["no"]}}"#,
      #"{"status":400,"type":"ValidationException","messages":{},"message":"page"}"#, "", "<html>page",
    ] { #expect(throws: SyncError.self, "\(other)") { try Reader().answer(other.utf8, status: 400, page: 1001) } }
  }

  @Test("the cap may be a sentence that names the page and no other parameter of the request")
  func pageCapInWords() throws {
    let catalogue = Reader(.catalogue(.manga))
    func body(_ message: String, type: String? = "ValidationException") -> String {
      let type = type.map { #""type":"\#($0)","# } ?? ""
      return #"{"status":400,\#(type)"message":"\#(message)","path":"/v1/manga"}"#
    }
    let sentences = [
      "The page must not be greater than 1000.", "Page too high", "query.PAGE: expected number to be <= 1000",
      "'page' is out of range of this type",
    ]
    for sentence in sentences {
      for refusal in [body(sentence), body(sentence, type: nil)] {
        guard case .pageCap = try catalogue.answer(refusal.utf8, status: 400, page: 1001) else {
          Issue.record("not read as the cap: \(refusal)")
          continue
        }
        #expect(throws: SyncError.self) { try catalogue.answer(refusal.utf8, status: 400, page: 1) }
        #expect(throws: SyncError.self) { try catalogue.answer(refusal.utf8, status: 422, page: 1001) }
      }
    }
    for other in [
      body("page and limit are too high"), body("order_by: not with this page"), body("the pages are too many"),
      body("homepage"), body("LIMIT must not be greater"), body(""), body("page", type: "BadRequestException"),
    ] { #expect(throws: SyncError.self, "\(other)") { try catalogue.answer(other.utf8, status: 400, page: 1001) } }
  }

  @Test("the status line decides; the body's own status may be wrong")
  func lyingBody() throws {
    #expect(try error(500, #"{"status":404,"message":"x","data":[]}"#).disposition == .retry(after: nil))
    #expect(try error(503, #"{"status":403,"message":"x"}"#).disposition == .retry(after: nil))
    #expect(try error(400, #"{"status":429,"message":"x"}"#).disposition == .stopStream)
    let page = try Reader().page(#"{"status":404,"pagination":{},"data":[{"mal_id":1,"title":"T"}]}"#.utf8)
    #expect(page.items.map(\.key) == [1])
  }

  @Test("a 429, a block or an outage is as long as the service says, in seconds or as a date; a 429 else a minute")
  func retryAfter() throws {
    let date = ["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"]
    for (headers, seconds) in [
      (["retry-after": "7"], 7), (date.merging(["date": "Sun, 06 Nov 1994 08:49:07 GMT"]) { $1 }, 30), (date, nil),
      (["retry-after": "soon"], nil), ([:], nil),
    ] as [([String: String], Int?)] {
      #expect(try error(429, "", headers: headers).disposition == .throttled(after: .seconds(seconds ?? 60)))
      for status in [403, 408, 500, 503] {
        #expect(try error(status, "", headers: headers).disposition == .retry(after: seconds.map { .seconds($0) }))
      }
    }
  }

  @Test("a redirect is reported with its target and not followed")
  func redirect() throws {
    let error = try error(301, "", headers: ["location": "https://elsewhere/\u{1B}[31m"])
    #expect(error.message.contains("redirects to https://elsewhere/"))
    #expect(!error.message.contains("\u{1B}"))
    #expect(error.disposition == .stopStream)
  }

  @Test("a hostile error body comes out bounded, on one line, without controls")
  func hostileBody() throws {
    let text = String(repeating: "\u{1B}[2J\n\u{202E}é", count: 100_000)
    for body in [text, #"{"message":"\#(text.replacing("\n", with: "\\n").replacing("\u{1B}", with: "\\u001b"))"}"#] {
      let message = try error(500, body).message
      #expect(message.unicodeScalars.count < 400)
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
    #expect(throws: SyncError.self) { try Reader().answer([0xFF, 0xFE, 0x00], status: 500) }
  }
}
