import Foundation

/// One entry of a recording's index: a file, and the request that it answers.
struct Recording: Decodable {
  /// The longest body served, so that a wrong folder cannot fill the memory.
  private static let bodyLimit = 64 << 20

  var file: String
  var request: String?
  var status: Int
  var headers: [String: String]?

  /// The entries of the folder's `index.json`.
  ///
  /// Throws ``SimulatorError`` when there is none that can be read.
  static func index(of folder: URL, called path: String) throws -> [Recording] {
    do {
      return try JSONDecoder().decode([Recording].self, from: Data(contentsOf: folder.appending(path: "index.json")))
    } catch let error as DecodingError {
      throw SimulatorError.recordingUnreadable(path: path, reason: "index.json is not an index: \(error)")
    } catch {
      throw SimulatorError.recordingUnreadable(path: path, reason: error.localizedDescription)
    }
  }

  /// A file of the folder; the name must be from an index or from the program, never from a request.
  static func body(at path: String, in folder: URL) -> [UInt8]? {
    guard let data = try? Data(contentsOf: folder.appending(path: path), options: .mappedIfSafe),
      data.count <= bodyLimit
    else { return nil }
    return Array(data)
  }

  /// The recorded answer, or nil where its body is missing.
  ///
  /// - Parameter type: the content type where none was recorded.
  func answer(in folder: URL, type: String = "application/json") -> SimulatedAnswer? {
    Self.body(at: file, in: folder).map { SimulatedAnswer(status: status, headers: served(type), body: $0) }
  }

  /// The recorded headers, without those about the original transfer.
  private func served(_ type: String) -> [HeaderField] {
    let transfer: Set = ["content-length", "content-encoding", "transfer-encoding", "connection", "date"]
    let kept = (headers ?? [:]).filter { !transfer.contains($0.key.lowercased()) }
    let fields = kept.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
    guard !fields.contains(where: { $0.name.lowercased() == "content-type" }) else { return fields }
    return [HeaderField("Content-Type", type)] + fields
  }
}
