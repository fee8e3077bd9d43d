import Foundation
import SyncCore

struct RecordedAnswer: Codable, Sendable {
  let number: Int
  let url: String
  /// The size and the checksum of a POST request's body; `nil` for GET.
  var sent: String?
  var ifNoneMatch: String?
  var ifModifiedSince: String?
  let at: String
  let seconds: Double
  var status: Int?
  var headers: [String: String]?
  var body: Body?
  var error: Fault?
  /// See `UpstreamResponse.hidesSecrets`; `nil` for false.
  var hidesSecrets: Bool?

  struct Body: Codable, Sendable {
    let offset: Int64
    /// The size of the gzip member. `bytes` is the size of the uncompressed body.
    let length: Int
    let bytes: Int
    let crc32: UInt32
  }

  struct Fault: Codable, Sendable {
    let code: String
    let message: String
    var hint: String?
    let disposition: String
    var afterSeconds: Int64?

    private static let codes: [String: SyncError.Code] = ["configuration": .configuration, "upstream": .upstream]

    init(_ error: SyncError) {
      code = Self.codes.first { $0.value == error.code }?.key ?? "upstream"
      message = error.message
      hint = error.hint
      switch error.disposition {
      case .retry(let delay): (disposition, afterSeconds) = ("retry", delay?.components.seconds)
      case .throttled(let delay): (disposition, afterSeconds) = ("throttled", delay?.components.seconds)
      case .stopStream, .refused, .restart: disposition = "stop_stream"
      case .stopRun: disposition = "stop_run"
      }
    }

    var asError: SyncError? {
      let delay = afterSeconds.map { Duration(clamping: Double($0)) }
      let dispositions: [String: SyncError.Disposition] = [
        "retry": .retry(after: delay), "throttled": .throttled(after: delay), "stop_stream": .stopStream,
        "stop_run": .stopRun,
      ]
      guard let code = Self.codes[code], let disposition = dispositions[disposition] else { return nil }
      return SyncError(
        code, Excerpt.of(message, scalars: Limits.recordedTextScalars),
        hint: hint.map { Excerpt.of($0, scalars: Limits.recordedTextScalars) }, disposition: disposition)
    }
  }

  init(_ number: Int, _ request: UpstreamRequest, at: Date, seconds: Double) {
    self.number = number
    url = request.url
    sent = Self.sent(request)
    ifNoneMatch = request.validators?.etag
    ifModifiedSince = request.validators?.lastModified
    self.at = at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    self.seconds = (seconds * 1000).rounded() / 1000
  }

  static func sent(_ request: UpstreamRequest) -> String? {
    request.body.map { "\($0.count) \(GzipMember.checksum(of: $0))" }
  }

  var validators: Validators? { Validators(etag: ifNoneMatch, lastModified: ifModifiedSince) }

  /// Drops headers that are not listed, because any header can contain a credential.
  static func kept(_ headers: [String: String], _ names: Set<String>) -> [String: String] {
    var kept = headers.filter { keptNames.contains($0.key) || names.contains($0.key) }
    kept["location"] = kept["location"].map(withoutValues)
    return kept
  }

  private static let keptNames: Set = [
    "age", "cache-control", "content-encoding", "content-length", "content-type", "date", "etag", "expires",
    "last-modified", "location", "retry-after", "server", "vary", "via",
  ]

  private static func withoutValues(_ url: String) -> String {
    url.replacing(#/\/\/[^\/?#]*@/#, with: "//***@")
      .replacing(#/([?&#;][^=&#;?]*=|[?&#;])[^&#;?]+/#) { $0.output.1 + "***" }
  }
}

struct RecordingEnd: Codable, Sendable {
  let answers: Int
  let endedAt: String
}
