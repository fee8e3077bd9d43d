import Foundation

/// Serves a folder of recorded bodies, byte for byte.
///
/// The folder holds `jikan/v4/top/{anime,manga}/page-N.json`, served for every page size asked and for the address of
/// the successor too, and an `index.json` telling for each further body which request it answers. Both are optional,
/// but not both may be missing.
package struct RecordedUpstream: SimulatedUpstream {
  /// The longest body served, so that a wrong folder cannot fill the memory.
  private static let bodyLimit = 64 << 20

  private let folder: URL
  /// By path and query of the request.
  private let bodies: [String: Recording]

  /// Reads the index; throws ``SimulatorError`` when the folder is none or holds nothing that can be served.
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
    do {
      let recordings = try JSONDecoder().decode([Recording].self, from: Data(contentsOf: index))
      let pairs = recordings.compactMap { recording in recording.target.map { ($0, recording) } }
      // Several recordings of one request: the first one stands.
      bodies = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    } catch let error as DecodingError {
      throw SimulatorError.recordingUnreadable(path: path, reason: "index.json is not an index: \(error)")
    } catch {
      throw SimulatorError.recordingUnreadable(path: path, reason: error.localizedDescription)
    }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let successorPath = request.path.hasPrefix("/v1/") ? request.path : nil
    guard request.method == "GET" else { return JikanProblem.methodNotAllowed.answer(successorPath: successorPath) }
    if request.path == "/", request.query.isEmpty { return .json(#"{"status":"up"}"#) }
    do throws(JikanProblem) {
      if let answer = try top(request) { return answer }
      if let recording = bodies[request.target], let body = body(at: recording.file) {
        return SimulatedAnswer(status: recording.status, headers: recording.served, body: body)
      }
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
    guard let body = body(at: "jikan/v4/top/\(kind.rawValue)/page-\(query.page).json") else {
      throw .missing(page: "top\(kind.rawValue).php")
    }
    return .json(body, headers: [HeaderField("Cache-Control", "no-cache, private")])
  }

  /// A file of the folder; the name comes from the index or is made here, never from a request.
  private func body(at path: String) -> [UInt8]? {
    guard let data = try? Data(contentsOf: folder.appending(path: path), options: .mappedIfSafe),
      data.count <= Self.bodyLimit
    else { return nil }
    return Array(data)
  }

  /// One entry of the index.
  private struct Recording: Decodable {
    var file: String
    var request: String?
    var status: Int
    var headers: [String: String]?

    /// Path and query of the request it answers.
    var target: String? {
      guard let request, let parts = URLComponents(string: request) else { return nil }
      let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
      return parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    /// The recorded headers, without those that tell how the body was sent then.
    var served: [HeaderField] {
      let transfer: Set = ["content-length", "content-encoding", "transfer-encoding", "connection", "date"]
      let kept = (headers ?? [:]).filter { !transfer.contains($0.key.lowercased()) }
      let fields = kept.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
      guard !fields.contains(where: { $0.name.lowercased() == "content-type" }) else { return fields }
      return [HeaderField("Content-Type", "application/json")] + fields
    }
  }
}
