import SyncCore
import SyncHTTP

/// Serves the answers that `syncctl run --record` keeps, byte for byte, in the order in which each address gave them.
///
/// Addresses are compared without their server. The last answer is given again and again. A recorded error of a
/// connection, and a request that was not recorded, get 503: a 404 would be the end of a list.
package struct RecordedUpstream: SimulatedUpstream {
  private let answers: ReplayTransport

  /// Throws ``SimulatorError`` when the folder has no recording, or one that is damaged.
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
      let answer = try await answers.fetch(UpstreamRequest(url: request.target, validators: validators))
      answer.reservation?.release()
      // Without the headers about the original transfer.
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
