import SyncCore
import SyncHTTP

/// Serves the answers of `syncctl run --record`, byte for byte. Each address gets its answers in the recorded order.
///
/// The server in an address is ignored. The last answer of an address is repeated. A recorded connection error and an
/// unrecorded request get 503, because a 404 would end a list.
package struct RecordedUpstream: SimulatedUpstream {
  private let answers: ReplayTransport

  /// Throws ``SimulatorError`` if the folder has no recording or a damaged recording.
  package init(folder path: String) throws {
    do throws(SyncError) {
      answers = try ReplayTransport(of: RecordingFolder(path), isServed: true)
    } catch {
      throw SimulatorError.recordingUnreadable(path: path, reason: error.message)
    }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let validators = Validators(
      etag: request.header("If-None-Match"), lastModified: request.header("If-Modified-Since"))
    do {
      var recorded = UpstreamRequest(url: request.target, validators: validators)
      if request.method == "POST" { recorded.body = request.body }
      let answer = try await answers.fetch(recorded)
      answer.reservation?.release()
      let headers = answer.headers.filter { !["content-encoding", "content-length", "date"].contains($0.key) }
      return SimulatedAnswer(
        status: answer.status, headers: headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) },
        body: answer.body)
    } catch {
      let text = (error as? SyncError)?.message ?? "\(error)"
      return SimulatedAnswer(
        status: 503, headers: [HeaderField("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }
  }
}
