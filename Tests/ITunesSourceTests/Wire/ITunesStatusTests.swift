import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

@Suite("What an answer of iTunes is before its records are read")
struct ITunesStatusTests {
  private func readers() throws -> [ITunesStreamReader] {
    [
      try ITunesStreamReader(), ITunesStreamReader(try ITunesLookup(.ids([909_253]), entity: "album")),
      ITunesStreamReader(try ITunesLookup(refreshing: [1, 2], country: "tw")), ITunesStreamReader(try ITunesChart()),
    ]
  }

  private static let retry = SyncError.Disposition.retry(after: nil)
  private static let pause = SyncError.Disposition.throttled(after: .seconds(300))

  private static let rows: [(Int, String, SyncError.Disposition, String)] = [
    // The service answers 403 when it throttles, so 403 must not be read as "nothing found".
    (403, "", pause, "throttled"), (403, "<html>Forbidden</html>", pause, "throttled"), (429, "", pause, "throttled"),
    (429, "Too Many Requests", pause, "throttled"), (301, "", .stopStream, "redirects"),
    (400, "", .stopStream, "answered 400"), (400, "<html>", .stopStream, "answered 400"),
    (401, "", .stopRun, "answered 401"), (404, "", .stopStream, "answered 404"), (405, "", .stopStream, "answered 405"),
    (408, "", retry, "answered 408"), (204, "", .stopStream, "answered 204"), (500, "", retry, "server error 500"),
    (500, #"{"errorMessage":"Oops"}"#, retry, "Oops"), (502, "<html>", retry, "server error 502"),
    (503, "Service Unavailable", retry, "server error 503"), (504, "<html>", retry, "server error 504"),
    (520, "", retry, "server error 520"),
    (200, "", retry, "decoding failed"), (200, "\n\n\n", retry, "decoding failed"),
    (200, "OK", retry, "decoding failed"), (200, "[]", retry, "decoding failed"), (200, "{}", retry, "decoding failed"),
    (200, #"{"resultCount":0}"#, retry, "decoding failed"),
    (200, #"{"resultCount":0,"results":null}"#, retry, "decoding failed"),
    (200, #"{"resultCount":1,"results":[{"trackId":1}"#, retry, "decoding failed"),
    (200, "\n\n<html>Your request produced an error. <BR>[newNullResponse]</html>", retry, "HTML"),
    (200, #"{"errorMessage":"Try again"}"#, retry, "Try again"),
    (200, #"{"errorMessage":"Try again","resultCount":0,"results":[]}"#, retry, "Try again"),
  ]

  @Test("each has its disposition, its words and what to do, for searches, lookups and charts", arguments: rows)
  func known(status: Int, body: String, disposition: SyncError.Disposition, says: String) throws {
    for reader in try readers() {
      let error = try reader.error(body.utf8, status: status)
      let isChart404 = status == 404 && reader.url().hasSuffix(".json")
      #expect(error.disposition == disposition, "\(reader.url()): \(error)")
      #expect(error.code == .upstream)
      #expect(error.description.contains(says), "\(error)")
      #expect(error.message.contains(reader.url().prefix(60)))
      #expect(error.hint?.isEmpty == false && !error.description.contains("\n"))
      if isChart404 { #expect(error.hint?.contains("no such chart") == true) }
    }
  }

  @Test("a wait that the service names is kept", arguments: [403, 429])
  func retryAfter(status: Int) throws {
    let error = try ITunesStreamReader().error("".utf8, status: status, headers: ["retry-after": "7"])
    #expect(error.disposition == .throttled(after: .seconds(7)))
  }

  @Test(
    "a refused parameter is called as the user called it, with the value",
    arguments: [
      ("country", "country (us)"), ("mediaType", "media (music)"), ("resultEntity", "entity (song)"),
      ("attributeType", "attribute (songTerm)"), ("language", "lang (ja_jp)"),
      ("mediaType, country", "media (music), "), ("brandNew", "brandNew"), ("limit", "limit (200)"),
    ])
  func parameters(key: String, name: String) throws {
    let reader = ITunesStreamReader(
      try ITunesSearch(term: "x", media: "music", entity: "song", attribute: "songTerm", lang: "ja_jp"))
    let body = #"{"errorMessage":"Invalid value(s) for key(s): [\#(key)]","queryParameters":{"output":"json"}}"#
    let error = try reader.error(body.utf8, status: 400)
    #expect(error.disposition == .stopStream && error.code == .usage)
    #expect(error.hint?.contains(name) == true, "\(error)")
    #expect(error.message.contains("Invalid value(s)"))
  }

  @Test("an id that is refused is called id")
  func refusedID() throws {
    let reader = ITunesStreamReader(try ITunesLookup(.ids([909_253])))
    let error = try reader.error(#"{"errorMessage":"Invalid value(s) for key(s): [itunesId]"}"#.utf8, status: 400)
    #expect(error.hint?.contains("id (909253)") == true)
  }

  @Test("a missing chart is no server error, and is not retried")
  func missingCharts() throws {
    let reader = ITunesStreamReader(try ITunesChart(country: "aq"))
    let html = try reader.error("<!DOCTYPE html><title>Internal Error</title>".utf8, status: 500)
    #expect(html.disposition == .stopStream && html.hint?.contains("country") == true)
    let json = try reader.error(#"{"status":"404","error":"Not Found here"}"#.utf8, status: 404)
    #expect(json.disposition == .stopStream && json.message.contains("Not Found here"))
    #expect(try ITunesStreamReader().error("<html>".utf8, status: 500).disposition == Self.retry)
  }

  @Test(
    "any valid JSON is accepted: blank lines, a byte order mark, any content type",
    arguments: ["", "\n\n\n", "\r\n \t", "\u{FEFF}"])
  func lenient(before: String) throws {
    for headers in [[:], ["content-type": "text/html"], ["content-type": "application/json"]] {
      let body = before + #"{"resultCount":1,"results":[{"kind":"ebook","trackId":3}]}"# + "\n\n\n"
      #expect(try ITunesStreamReader().answer(body.utf8, headers: headers).items.count == 1)
    }
  }

  @Test("no hit is no error, and says that there is nothing; a wrong count is not believed")
  func empty() throws {
    let page = try ITunesStreamReader().page("\n{\"resultCount\":0,\"results\":[]}".utf8)
    #expect(page.entries.isEmpty && page.claim == PageClaim(total: 0, hasNext: false))
    let odd = try ITunesStreamReader().page(#"{"resultCount":123,"results":[{"kind":"ebook","trackId":3}]}"#.utf8)
    #expect(odd.items.count == 1 && odd.claim == PageClaim(hasNext: false))
  }

  @Test("errors are bounded, on one line, without controls, whatever the request and the answer")
  func hostile() throws {
    let text = String(repeating: "\u{1B}[2J\n\u{202E}é", count: 100_000)
    let readers = try readers() + [ITunesStreamReader(try ITunesLookup(.ids(Array(1_000_000...1_000_400))))]
    let escaped = String(repeating: "\\u001b[2J\\n\\u202e", count: 1000)
    let bodies = [text, "{\"errorMessage\":\"\(escaped)\"}", "{\"error\":\"\(escaped)\",\"results\":0}"]
    for reader in readers {
      for status in [200, 400, 403, 404, 500] {
        for body in bodies {
          let error = try reader.error(body.utf8, status: status)
          #expect(error.message.unicodeScalars.count < 700 && (error.hint ?? "").unicodeScalars.count < 300)
          #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
      }
    }
  }
}
