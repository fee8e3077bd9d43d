import Foundation

/// Serves a folder of recorded bodies, byte for byte.
///
/// The folder holds `jikan/v4/top/{anime,manga}/page-N.json`, served for every requested page size and for the address
/// of the successor too, and an `index.json` that maps each further body to its request. Both are optional, but one of
/// them must exist.
package struct RecordedUpstream: SimulatedUpstream {
  private let folder: URL
  /// By path and query of the request.
  private let bodies: [String: Recording]

  /// Reads the index; throws ``SimulatorError`` when the folder does not exist or holds nothing that can be served.
  package init(folder path: String) throws {
    folder = URL(filePath: path, directoryHint: .isDirectory)
    let index = folder.appending(path: "index.json")
    let hasLists = FileManager.default.fileExists(atPath: folder.appending(path: "jikan/v4/top").path)
    guard FileManager.default.fileExists(atPath: index.path) else {
      guard hasLists else {
        throw SimulatorError.recordingUnreadable(path: path, reason: "it holds neither index.json nor jikan/v4/top")
      }
      bodies = [:]
      return
    }
    let recordings = try Recording.index(of: folder, called: path)
    let pairs = recordings.compactMap { recording in recording.target.map { ($0, recording) } }
    // Of several recordings of one request the first one counts.
    bodies = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let successorPath = request.path.hasPrefix("/v1/") ? request.path : nil
    guard request.method == "GET" else { return JikanProblem.methodNotAllowed.answer(successorPath: successorPath) }
    if request.path == "/", request.query.isEmpty { return .json(#"{"status":"up"}"#) }
    do throws(JikanProblem) {
      if let answer = try top(request) { return answer }
      if let answer = bodies[request.target]?.answer(in: folder) { return answer }
      throw JikanProblem.noRoute
    } catch {
      return error.answer(successorPath: successorPath)
    }
  }

  /// A page of a recorded top list, or nil for another request; a filtered list was not recorded.
  private func top(_ request: SimulatedRequest) throws(JikanProblem) -> SimulatedAnswer? {
    let segments = request.path.split(separator: "/")
    guard segments.count == 3, segments[0] == "v4" || segments[0] == "v1", segments[1] == "top",
      let kind = JikanKind(rawValue: String(segments[2]))
    else { return nil }
    let query = try JikanListQuery.top(kind, QueryParameters(request.query), maximumLimit: 50)
    guard query.selection == JikanSelection() else { return nil }
    guard let body = Recording.body(at: "jikan/v4/top/\(kind.rawValue)/page-\(query.page).json", in: folder) else {
      throw .missing(page: "top\(kind.rawValue).php")
    }
    return .json(body, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }
}

extension Recording {
  /// Path and query of the request it answers.
  fileprivate var target: String? {
    guard let request, let parts = URLComponents(string: request) else { return nil }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    return parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
  }
}
