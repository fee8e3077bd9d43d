import SyncCore
import SyncHTTP

/// Serves the answers that `syncctl run --record` got from one origin. `ServedRecording` has one for each origin.
///
/// `RecordedAnswers` says which answer a request gets. Bodies are served byte for byte, except of links to next pages,
/// which name this server instead of the recorded one. A recorded connection error becomes a 503.
///
/// A request without a recorded answer gets a 421 (RFC 9110 §15.5.20). A 404 would end a list or remove an item, a 400
/// can end a list, and a 5xx would be repeated. Each source stops a stream after a 421, and keeps the pages before it.
package struct RecordedUpstream: SimulatedUpstream {
  let answers: RecordedAnswers
  /// The origin in the recording, such as `https://api.tenrai.org`.
  let origin: String
  /// The paths of members that have the address of the next page.
  let nextLinks: [[String]]
  /// Reports a request without a recorded answer.
  let report: @Sendable (String) -> Void

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let validators = Validators(
      etag: request.header("If-None-Match"), lastModified: request.header("If-Modified-Since"))
    var recorded = UpstreamRequest(url: origin + request.target, validators: validators)
    if request.method == "POST" { recorded.body = request.body }
    do {
      switch try await answers.answer(to: recorded) {
      case .response(let response): return answer(response, to: request)
      case .failure(let error): return problem(503, "the recorded run got no answer: \(error)")
      case .missing(let reason):
        report("\(request.method) \(Excerpt.of(recorded.url)): \(reason)")
        return problem(421, reason)
      }
    } catch {
      let reason = (error as? SyncError)?.message ?? "\(error)"
      report("\(request.method) \(Excerpt.of(recorded.url)): \(reason)")
      return problem(421, reason)
    }
  }

  private func answer(_ response: UpstreamResponse, to request: SimulatedRequest) -> SimulatedAnswer {
    let links = RecordedLinks(
      of: origin + request.target, at: origin, to: "http://\(request.header("host") ?? "")",
      hidesSecrets: response.hidesSecrets)
    var headers = response.headers.filter { !["content-encoding", "content-length", "date"].contains($0.key) }
    headers["link"] = headers["link"].map(links.header)
    return SimulatedAnswer(
      status: response.status, headers: headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) },
      body: nextLinks.isEmpty ? response.body : links.body(response.body, at: nextLinks))
  }

  /// The form of Jikan's errors, whose message all sources show.
  private func problem(_ status: Int, _ message: String) -> SimulatedAnswer {
    let body: SimulatedJSON = #"{"status":\#(status),"type":"Recording","message":\#(message)}"#
    return .json(body.bytes, status: status)
  }
}
