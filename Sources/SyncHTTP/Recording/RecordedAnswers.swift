import Foundation
import NIOPosix
package import SyncCore
import Synchronization

/// The answers of a recording, for a server that takes the place of the recorded services.
///
/// A request matches the answers that were recorded for its method, its URL and its body. Among them, the request gets
/// the first unused answer with its validators, else the first unused answer that is not a 304. When all are used, the
/// last of these answers is repeated, so that a second run gets the same list as the recorded run. A 401 is left out if
/// the recorded run then got another answer, for example with a new access token.
package final class RecordedAnswers: Sendable {
  /// The recorded end of a request.
  package enum Answer: Sendable {
    case response(UpstreamResponse)
    /// The recorded run got no response. The text is its error.
    case failure(String)
    /// The recording has no answer that fits. The text is the reason, for the user.
    case missing(String)
  }

  private struct Place {
    let address: Int
    let validators: Int
    let offset: Int64
    let length: Int32
    let number: Int32
    let isNotModified: Bool
    let isUnauthorized: Bool
    var isUsed = false
  }

  private let folder: RecordingFolder
  private let index: RecordedBytes
  private let answers: RecordedBytes
  private let bodyBytes: Int
  private let places: Mutex<[Place]>
  /// Whether the recorded run ended by itself, so that the recording has all its answers.
  package let isWhole: Bool
  /// The number of recorded answers and errors.
  package let count: Int
  /// The origins of the recorded requests, sorted.
  package let origins: [String]

  /// Reads the whole index of the recording, but no bodies. `bodyBytes` is the largest body, decompressed.
  ///
  /// Throws `.permission` if the user has no right to read the recording, and `.configuration` if a file is missing or
  /// damaged.
  package init(of folder: RecordingFolder, bodyBytes: Int = Limits.responseBodyBytes) throws(SyncError) {
    self.folder = folder
    self.bodyBytes = bodyBytes
    answers = RecordedBytes(descriptor: try folder.read(.answers))
    index = RecordedBytes(descriptor: try folder.read(.index))
    let reader = IndexReader(folder: folder, file: index)
    var places: [Place] = []
    var origins: Set<String> = []
    var end: RecordingEnd?
    try reader.forEach { (line, offset) throws(SyncError) in
      guard end == nil else { throw folder.damaged(.index, "lines follow its end") }
      end = reader.end(line)
      guard end == nil else { return }
      let answer = try reader.answer(line, at: offset)
      guard places.count < Limits.recordedAnswers else {
        throw folder.damaged(.index, "it has more than \(Limits.recordedAnswers) lines")
      }
      if let address = try? HTTPAddress(answer.url) { origins.insert(address.origin) }
      places.append(
        Place(
          address: Self.address(answer.url, answer.sent), validators: answer.validators.hashValue, offset: offset,
          length: Int32(line.count), number: Int32(clamping: answer.number), isNotModified: answer.status == 304,
          isUnauthorized: answer.status == 401))
    }
    count = places.count
    if let end, end.answers != count { throw folder.damaged(.index, "lines are missing") }
    places.sort { ($0.address, $0.number) < ($1.address, $1.number) }
    self.places = Mutex(places)
    self.origins = origins.sorted()
    isWhole = end != nil
  }

  /// Returns the recorded answer to this request, and marks it as used, so that an equal request gets the next answer.
  /// Ignores the request's additions, which are not recorded.
  ///
  /// Throws `.configuration` if the recording is damaged. A missing answer is not an error.
  package func answer(to request: UpstreamRequest) async throws -> Answer {
    let place: Place
    switch take(request) {
    case .place(let found): place = found
    case .missing(let reason): return .missing(reason)
    }
    let recorded = try await NIOThreadPool.singleton.runIfActive { [self] in try line(at: place) }
    if let error = recorded.error { return .failure(Excerpt.of(error, scalars: Limits.recordedTextScalars)) }
    guard let status = recorded.status, let headers = recorded.headers, let body = recorded.body else {
      throw folder.damaged(.index, "request \(recorded.number) has neither an answer nor an error")
    }
    let bytes = try await NIOThreadPool.singleton.runIfActive { [self] in try read(body, of: recorded.number) }
    return .response(
      UpstreamResponse(status: status, headers: headers, body: bytes, hidesSecrets: recorded.hidesSecrets ?? false))
  }

  private enum Choice {
    case place(Place)
    case missing(String)
  }

  private func take(_ request: UpstreamRequest) -> Choice {
    let address = Self.address(request.url, RecordedAnswer.sent(request))
    let validators = request.validators.hashValue
    return places.withLock { places in
      let all = places.indices(of: address, \.address)
      let accepted = all.filter { !places[$0].isUnauthorized }
      let known = accepted.isEmpty ? Array(all) : accepted
      let unused = known.filter { !places[$0].isUsed }
      let found =
        unused.first { places[$0].validators == validators } ?? unused.first { !places[$0].isNotModified }
        ?? known.last { places[$0].validators == validators || !places[$0].isNotModified }
      guard let found else { return .missing(reason(hasOthers: !known.isEmpty)) }
      places[found].isUsed = true
      return .place(places[found])
    }
  }

  /// Returns the hash of an address and of the body that was sent to it. The address is compared in the form in which
  /// it is sent.
  private static func address(_ url: String, _ sent: String?) -> Int {
    [(try? HTTPAddress(url))?.description ?? url, sent].hashValue
  }

  /// - Parameter hasOthers: Whether the recording has answers for the address, which all are a 304.
  private func reason(hasOthers: Bool) -> String {
    if hasOthers {
      return "the recording has only \"not modified\" (304) for this request; run --full --record records every page"
    }
    guard isWhole else { return "the recording ends before this request, because the recorded run was stopped" }
    return "the recording has no such request; run the recorded command, with the settings of the recorded run"
  }

  private func line(at place: Place) throws(SyncError) -> RecordedAnswer {
    guard let line = index.read(at: place.offset, count: Int(place.length)) else {
      throw folder.damaged(.index, "it cannot be read")
    }
    return try IndexReader(folder: folder, file: index).answer(line, at: place.offset)
  }

  private func read(_ body: RecordedAnswer.Body, of number: Int) throws(SyncError) -> [UInt8] {
    let problem = "the answer to request \(number) is "
    guard (0...bodyBytes).contains(body.bytes) else {
      throw folder.damaged(.answers, problem + "longer than \(bodyBytes) bytes")
    }
    guard body.offset >= 0, (0...bodyBytes + bodyBytes / 8 + 1024).contains(body.length),
      let packed = answers.read(at: body.offset, count: body.length), packed.count == body.length
    else { throw folder.damaged(.answers, problem + "missing or cut off") }
    guard let bytes = try? GzipMember.unpacked(packed, limit: body.bytes), bytes.count == body.bytes,
      GzipMember.checksum(of: bytes) == body.crc32
    else { throw folder.damaged(.answers, problem + "not what the index says") }
    return bytes
  }
}

extension Array {
  fileprivate func indices(of value: Int, _ member: (Element) -> Int) -> Range<Int> {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if member(self[middle]) < value { low = middle + 1 } else { high = middle }
    }
    let end = self[low...].firstIndex { member($0) != value } ?? endIndex
    return low..<end
  }
}

private struct IndexReader {
  let folder: RecordingFolder
  let file: RecordedBytes
  private let decoder: JSONDecoder

  init(folder: RecordingFolder, file: RecordedBytes) {
    self.folder = folder
    self.file = file
    decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
  }

  func end(_ line: [UInt8]) -> RecordingEnd? {
    guard line.starts(with: #"{"answers":"#.utf8) else { return nil }
    return try? decoder.decode(RecordingEnd.self, from: Data(line))
  }

  func answer(_ line: [UInt8], at offset: Int64) throws(SyncError) -> RecordedAnswer {
    guard let answer = try? decoder.decode(RecordedAnswer.self, from: Data(line)),
      (answer.error == nil) == (answer.status != nil)
    else { throw folder.damaged(.index, "byte \(offset): not a line of an index") }
    return answer
  }

  /// Ignores an incomplete last line, because a killed program can leave such a line.
  func forEach(_ body: ([UInt8], Int64) throws(SyncError) -> Void) throws(SyncError) {
    var rest: [UInt8] = []
    var offset: Int64 = 0
    while true {
      guard let chunk = file.read(at: offset + Int64(rest.count), count: 1 << 16) else {
        throw folder.damaged(.index, "it cannot be read")
      }
      if chunk.isEmpty { return }
      rest += chunk
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        try body(Array(rest[..<end]), offset)
        rest.removeFirst(end + 1)
        offset += Int64(end + 1)
      }
      guard rest.count <= Limits.recordedLineBytes else {
        throw folder.damaged(.index, "byte \(offset): a line of more than \(Limits.recordedLineBytes) bytes")
      }
    }
  }
}
