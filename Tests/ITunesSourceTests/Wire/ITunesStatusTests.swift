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

  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let disposition: SyncError.Disposition
    let says: String

    var testDescription: String { "\(status) \(body)" }
  }

  private static let retry = SyncError.Disposition.retry(after: nil)
  private static let pause = SyncError.Disposition.throttled(after: .seconds(300))

  private static let rows = [
    // Never "nothing found": with this status the service reports throttling.
    Row(status: 403, body: "", disposition: pause, says: "throttled"),
    Row(status: 403, body: "<html>Forbidden</html>", disposition: pause, says: "throttled"),
    Row(status: 429, body: "", disposition: pause, says: "throttled"),
    Row(status: 429, body: "Too Many Requests", disposition: pause, says: "throttled"),
    Row(status: 301, body: "", disposition: .stopStream, says: "redirects"),
    Row(status: 400, body: "", disposition: .stopStream, says: "answered 400"),
    Row(status: 400, body: "<html>", disposition: .stopStream, says: "answered 400"),
    Row(status: 401, body: "", disposition: .stopRun, says: "answered 401"),
    Row(status: 404, body: "", disposition: .stopStream, says: "answered 404"),
    Row(status: 405, body: "", disposition: .stopStream, says: "answered 405"),
    Row(status: 408, body: "", disposition: retry, says: "answered 408"),
    Row(status: 204, body: "", disposition: .stopStream, says: "answered 204"),
    Row(status: 500, body: "", disposition: retry, says: "server error 500"),
    Row(status: 500, body: #"{"errorMessage":"Oops"}"#, disposition: retry, says: "Oops"),
    Row(status: 502, body: "<html>", disposition: retry, says: "server error 502"),
    Row(status: 503, body: "Service Unavailable", disposition: retry, says: "server error 503"),
    Row(status: 504, body: "<html>", disposition: retry, says: "server error 504"),
    Row(status: 520, body: "", disposition: retry, says: "server error 520"),
    // Status 200 with a body that is not an answer.
    Row(status: 200, body: "", disposition: retry, says: "decoding failed"),
    Row(status: 200, body: "\n\n\n", disposition: retry, says: "decoding failed"),
    Row(status: 200, body: "OK", disposition: retry, says: "decoding failed"),
    Row(status: 200, body: "[]", disposition: retry, says: "decoding failed"),
    Row(status: 200, body: "{}", disposition: retry, says: "decoding failed"),
    Row(status: 200, body: #"{"resultCount":0}"#, disposition: retry, says: "decoding failed"),
    Row(status: 200, body: #"{"resultCount":0,"results":null}"#, disposition: retry, says: "decoding failed"),
    Row(status: 200, body: #"{"resultCount":1,"results":[{"trackId":1}"#, disposition: retry, says: "decoding failed"),
    Row(
      status: 200, body: "\n\n<html>Your request produced an error. <BR>[newNullResponse]</html>",
      disposition: retry, says: "HTML"),
    Row(status: 200, body: #"{"errorMessage":"Try again"}"#, disposition: retry, says: "Try again"),
    Row(
      status: 200, body: #"{"errorMessage":"Try again","resultCount":0,"results":[]}"#, disposition: retry,
      says: "Try again"),
  ]

  @Test("each has its disposition, its words and what to do, for searches, lookups and charts", arguments: rows)
  func known(row: Row) throws {
    for reader in try readers() {
      let error = try reader.error(row.body.utf8, status: row.status)
      let isChart404 = row.status == 404 && reader.url().hasSuffix(".json")
      #expect(error.disposition == row.disposition, "\(reader.url()): \(error)")
      #expect(error.code == .upstream)
      #expect(error.description.contains(row.says), "\(error)")
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
    // A search has no error format of its own.
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
