import Foundation

/// The iTunes search, its lookups and the charts, served byte for byte from a folder of recorded bodies.
///
/// The folder's `index.json` maps requests to bodies. The order of parameters does not count, nor does a parameter with
/// its default value; `limit` and `offset` count only where recordings differ in them. Every body is also served under
/// its path in the folder, because some answer no possible request.
package struct RecordedITunes: SimulatedUpstream {
  private let folder: URL
  private let byRequest: [RecordedITunesRequest: Recording]
  private let byPlace: [String: Recording]

  /// - Throws: ``SimulatorError`` when the folder has no index, or one without a body of this service.
  package init(folder path: String) throws {
    folder = URL(filePath: path, directoryHint: .isDirectory)
    let recordings = try Recording.index(of: folder, called: path).filter(\.isOfITunes)
    guard !recordings.isEmpty else {
      throw SimulatorError.recordingUnreadable(path: path, reason: "index.json names no body of iTunes")
    }
    let keys = recordings.compactMap { recording in recording.key.map { ($0, recording) } }
    // Of several recordings of one request the first one counts, and before it the one of exactly this page.
    byRequest = Dictionary(
      keys + keys.map { ($0.withoutPage, $1) }, uniquingKeysWith: { first, _ in first })
    byPlace = Dictionary(recordings.map { ("/\($0.file)", $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" else { return SimulatedAnswer(status: 405) }
    let key = RecordedITunesRequest(path: request.path, query: request.query)
    let recording = byRequest[key] ?? byRequest[key.withoutPage] ?? byPlace[request.path]
    if let recording, let answer = recording.answer(in: folder, type: recording.type) { return answer }
    // What was not recorded is what the service does not know.
    switch ITunesService(path: request.path) {
    case .search, .lookup: return .iTunes(results: [])
    case .charts, nil: return .json(#"{"status":404,"error":"Not Found"}"#, status: 404)
    }
  }
}

/// A request, as far as its answer depends on it.
private struct RecordedITunesRequest: Hashable {
  private var path: String
  private var parameters: [String: String]

  private static let usual = ["country": "us", "lang": "en_us", "media": "all", "version": "2", "limit": "50"]

  init(path: String, query: String) {
    switch ITunesService(path: path) {
    case .search: self.path = "/search"
    case .lookup: self.path = "/lookup"
    case .charts, nil: self.path = path
    }
    parameters = QueryParameters(query).all.mapValues { $0.lowercased() }
      .filter { !$0.value.isEmpty && Self.usual[$0.key] != $0.value }
  }

  var withoutPage: RecordedITunesRequest {
    var key = self
    key.parameters["limit"] = nil
    key.parameters["offset"] = nil
    return key
  }
}

extension Recording {
  fileprivate var isOfITunes: Bool { file.hasPrefix("itunes/") || file.hasPrefix("rss/") }

  /// What its body is sent as where that was not recorded.
  fileprivate var type: String { file.hasPrefix("itunes/") ? "text/javascript; charset=utf-8" : "application/json" }

  /// The request it answers; nil for none, or for one with omitted parts.
  fileprivate var key: RecordedITunesRequest? {
    // What follows a blank is a remark.
    guard let address = request?.split(separator: " ").first, !address.contains("..."),
      let parts = URLComponents(string: String(address)), !parts.percentEncodedPath.isEmpty
    else { return nil }
    return RecordedITunesRequest(path: parts.percentEncodedPath, query: parts.percentEncodedQuery ?? "")
  }
}
