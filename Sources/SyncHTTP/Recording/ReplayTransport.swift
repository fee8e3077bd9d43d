import Foundation
import NIOPosix
package import SyncCore
import Synchronization

/// Answers requests from a recording, without a network. A request gets the first unused answer for its URL and its
/// validators. If no such answer exists, the request gets the first unused answer for its URL that is not a 304.
package final class ReplayTransport: Transport {
  private struct Place {
    let address: Int
    let validators: Int
    let offset: Int64
    let length: Int32
    let number: Int32
    let isNotModified: Bool
    var isTaken = false
  }

  private let folder: RecordingFolder
  private let index: RecordedBytes
  private let answers: RecordedBytes
  private let bodyBytes: Int
  private let isServed: Bool
  private let budget = ByteBudget(bytes: Limits.bodyBytesInFlight)
  private let places: Mutex<[Place]>
  /// Whether the recorded run ended by itself, so that the recording has all its answers.
  package let isWhole: Bool
  /// The number of recorded answers and errors.
  package let count: Int

  /// Reads the whole index of the recording, but no bodies. Throws `SyncError` if the index cannot be read or is
  /// damaged.
  /// - Parameter isServed: If true, only path and query are compared, and a URL's last answer is repeated.
  package init(
    of folder: RecordingFolder, isServed: Bool = false, bodyBytes: Int = Limits.responseBodyBytes
  ) throws(SyncError) {
    self.folder = folder
    self.isServed = isServed
    self.bodyBytes = bodyBytes
    answers = RecordedBytes(descriptor: try folder.read(.answers))
    index = RecordedBytes(descriptor: try folder.read(.index))
    let reader = IndexReader(folder: folder, file: index)
    var places: [Place] = []
    var end: RecordingEnd?
    try reader.forEach { (line, offset) throws(SyncError) in
      guard end == nil else { throw folder.damaged(.index, "lines follow its end") }
      end = reader.end(line)
      guard end == nil else { return }
      let answer = try reader.answer(line, at: offset)
      guard places.count < Limits.recordedAnswers else {
        throw folder.damaged(.index, "it has more than \(Limits.recordedAnswers) lines")
      }
      places.append(
        Place(
          address: Self.address(answer.url, answer.sent, isServed), validators: answer.validators.hashValue,
          offset: offset,
          length: Int32(line.count), number: Int32(clamping: answer.number), isNotModified: answer.status == 304))
    }
    count = places.count
    if let end, end.answers != count { throw folder.damaged(.index, "lines are missing") }
    places.sort { ($0.address, $0.number) < ($1.address, $1.number) }
    self.places = Mutex(places)
    isWhole = end != nil
  }

  /// Returns or throws what the recorded run got for this request. Each recorded answer is used once, unless `isServed`
  /// is true.
  ///
  /// Throws `.configuration` if the recording has no answer that is left, `.tryLater` if it ends before this request,
  /// and `.configuration` if it is damaged. These errors stop the run.
  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let place = try take(request)
    let answer = try await NIOThreadPool.singleton.runIfActive { [self] in try line(at: place) }
    if let error = answer.error?.asError { throw error }
    guard let status = answer.status, let headers = answer.headers, let body = answer.body else {
      throw folder.damaged(.index, "request \(answer.number) has neither an answer nor an error")
    }
    var reservation: ByteReservation?
    if body.bytes > Limits.usualBodyBytes {
      reservation = try await budget.reserve(body.bytes)
    }
    let bytes = try await NIOThreadPool.singleton.runIfActive { [self] in try read(body, of: answer.number) }
    return UpstreamResponse(
      status: status, headers: headers, body: bytes, reservation: reservation,
      hidesSecrets: answer.hidesSecrets ?? false)
  }

  private func take(_ request: UpstreamRequest) throws(SyncError) -> Place {
    try places.withLock { (places) throws(SyncError) in
      let address = Self.address(request.url, RecordedAnswer.sent(request), isServed)
      let known = places.indices(of: address, \.address)
      let left = known.filter { !places[$0].isTaken }
      let validators = request.validators.hashValue
      let found =
        left.first { places[$0].validators == validators } ?? left.first { !places[$0].isNotModified }
        ?? (isServed ? known.last { !places[$0].isNotModified } : nil)
      guard let found else { throw missing(request, hasOthers: !left.isEmpty) }
      places[found].isTaken = true
      return places[found]
    }
  }

  /// Returns the hash of an address and of the body that was sent to it. Recordings of earlier versions have addresses
  /// that were not sent in this form.
  private static func address(_ url: String, _ sent: String?, _ isServed: Bool) -> Int {
    let url = (try? HTTPAddress(url))?.description ?? url
    guard isServed, !url.hasPrefix("/"), let scheme = url.firstRange(of: "://") else { return [url, sent].hashValue }
    return [String(url[scheme.upperBound...].drop { $0 != "/" }), sent].hashValue
  }

  private func missing(_ request: UpstreamRequest, hasOthers: Bool) -> SyncError {
    let remedy = "replay it into an empty database, or into one as it was before the recorded run"
    if hasOthers {
      return SyncError(
        .configuration, "\(request.url): the recording has only \"not modified\" (304) for this request",
        hint: remedy + "; a run with --full records every page", disposition: .stopRun)
    }
    guard isWhole else {
      return SyncError(
        .tryLater, "\(request.url): the recording ends before this request: the recorded run was stopped",
        hint: "the mirror has the replayed pages; syncctl run continues from the service", disposition: .stopRun)
    }
    return SyncError(
      .configuration, "\(request.url) is not in the recording, or fewer times", hint: remedy, disposition: .stopRun)
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
      (answer.error == nil) == (answer.status != nil), answer.error.map({ $0.asError != nil }) ?? true
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
