import Foundation
import NIOPosix
package import SyncCore
import Synchronization

/// Records a transport's responses and errors as they arrive, so a killed run leaves a partial recording.
package struct RecordingTransport: Transport {
  private let transport: any Transport
  private let recording: AnswerRecording
  private let names: Set<String>

  /// Wraps a transport whose answers are recorded.
  /// - Parameter names: Further headers to record, in lowercase.
  package init(_ transport: any Transport, to recording: AnswerRecording, keeping names: Set<String> = []) {
    self.names = names
    self.transport = transport
    self.recording = recording
  }

  /// Prepares the inner transport. Nothing is recorded.
  package func prepare() async throws { try await transport.prepare() }

  /// Fetches with the inner transport, and records the response or the error before it returns. The body is recorded
  /// without secrets.
  ///
  /// Requests for access tokens are not recorded. If the recording cannot be written, this request and all later
  /// requests throw its error.
  package func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    // The request and the answer consist of secrets, and a server of the recording needs no access token.
    if request.additions.form != nil { return try await transport.fetch(request) }
    let number = try recording.begin()
    let (sentAt, start) = (Date(), ContinuousClock.now)
    func line() -> RecordedAnswer {
      RecordedAnswer(number, request, at: sentAt, seconds: start.duration(to: .now) / .seconds(1))
    }
    do {
      let response = try await transport.fetch(request)
      var answer = line()
      answer.status = response.status
      answer.headers = RecordedAnswer.kept(response.headers, names)
      let masked = request.additions.mask.masking(response.body, .recording)
      if masked != nil || response.hidesSecrets { answer.hidesSecrets = true }
      try await recording.append(answer, body: masked ?? response.body)
      return response
    } catch let error as SyncError where !recording.hasFailed {
      var answer = line()
      answer.error = error.message
      try await recording.append(answer)
      throw error
    } catch let error as CancellationError {
      recording.interrupt()
      throw error
    }
  }
}

/// The recording of a run, shared by all its transports. Create it, record with `RecordingTransport`, and call `finish`
/// once.
package final class AnswerRecording: Sendable {
  private struct State {
    var offset: Int64 = 0
    var number = 0
    var written = 0
    var isInterrupted = false
    var failure: SyncError?
  }

  private let folder: RecordingFolder
  private let isNew: Bool
  private let index: RecordedBytes
  private let answers: RecordedBytes
  private let state = Mutex(State())

  /// Creates the recording's files and writes the manifest. An existing recording is never overwritten.
  ///
  /// Throws `.usage` if the folder has a recording already or cannot be created, `.permission` if the user must not
  /// write there, and `.tryLater` if the disk is full.
  package init(in folder: RecordingFolder, manifest: RecordingManifest) throws(SyncError) {
    guard let manifest = try? manifest.bytes else { throw folder.unwritable(EINVAL) }
    let (isNew, files) = try folder.create()
    guard let first = files[.manifest], let index = files[.index], let answers = files[.answers] else {
      throw folder.unwritable(EIO)
    }
    self.folder = folder
    self.isNew = isNew
    self.index = RecordedBytes(descriptor: index)
    self.answers = RecordedBytes(descriptor: answers)
    if let code = RecordedBytes(descriptor: first).write(manifest) {
      folder.remove(isNew: isNew)
      throw folder.unwritable(code)
    }
  }

  /// Whether an answer could not be written. No further requests are sent then.
  package var hasFailed: Bool { state.withLock { $0.failure != nil } }

  fileprivate func begin() throws(SyncError) -> Int {
    try state.withLock { (state) throws(SyncError) in
      if let failure = state.failure { throw failure }
      state.number += 1
      return state.number
    }
  }

  fileprivate func interrupt() { state.withLock { $0.isInterrupted = true } }

  /// Writes the body first, so that the index never refers to a missing body.
  fileprivate func append(_ answer: RecordedAnswer, body: [UInt8]? = nil) async throws {
    // The thread pool writes, because a slow disk would block a thread of the concurrency runtime.
    try await NIOThreadPool.singleton.runIfActive { [self] in
      var answer = answer
      let packed = try body.map { try GzipMember.packed($0) }
      try state.withLock { state in
        if let failure = state.failure { throw failure }
        do throws(SyncError) {
          if let body, let packed {
            answer.body = RecordedAnswer.Body(
              offset: state.offset, length: packed.count, bytes: body.count, crc32: GzipMember.checksum(of: body))
            try write(packed, to: answers)
            state.offset += Int64(packed.count)
          }
          try write(answer)
          state.written += 1
        } catch {
          state.failure = error
          throw error
        }
      }
    }
  }

  private func write(_ line: some Encodable) throws(SyncError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard let text = try? encoder.encode(line) else { throw folder.unwritable(EINVAL) }
    try write(Array(text) + [UInt8(ascii: "\n")], to: index)
  }

  private func write(_ bytes: [UInt8], to file: RecordedBytes) throws(SyncError) {
    if let code = file.write(bytes) { throw folder.unwritable(code) }
  }

  /// Ends the recording and returns the number of recorded answers and errors. Removes a recording without any.
  /// Call this function once, after the last request.
  ///
  /// The index gets its last line only if `isWhole` is true, no request was cancelled, and every answer was written. A
  /// recording without this line is the one of a stopped run.
  /// - Parameter isWhole: Whether the recorded run ended by itself.
  /// - Throws: `.permission`, `.tryLater` or `.usage` if the end cannot be written. The error of an earlier failed
  ///   write, which `fetch` has thrown, is not thrown again.
  @discardableResult
  package func finish(isWhole: Bool) throws(SyncError) -> Int {
    let state = state.withLock { $0 }
    guard state.written > 0 else {
      folder.remove(isNew: isNew)
      return 0
    }
    if isWhole, !state.isInterrupted, state.failure == nil {
      try write(RecordingEnd(answers: state.written, endedAt: Date().formatted(.iso8601)))
    }
    for file in [index, answers] where fsync(file.descriptor) != 0 && state.failure == nil {
      throw folder.unwritable(errno)
    }
    return state.written
  }
}
