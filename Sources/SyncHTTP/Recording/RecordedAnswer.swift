import Foundation
import SyncCore

/// A line of a recording's index: a request, and its response or error.
struct RecordedAnswer: Codable, Sendable {
  /// The request's number within the recording, from 1, in the order in which the requests began.
  let number: Int
  let url: String
  /// The size and the checksum of a POST request's body; `nil` for GET.
  var sent: String?
  var ifNoneMatch: String?
  var ifModifiedSince: String?
  /// The time when the request was sent, as ISO 8601 with milliseconds.
  let at: String
  /// The time from the request to its response or error, in seconds.
  let seconds: Double
  var status: Int?
  var headers: [String: String]?
  var body: Body?
  /// The message of the error that the recorded run got instead of an answer.
  var error: String?
  /// See `UpstreamResponse.hidesSecrets`; `nil` for false.
  var hidesSecrets: Bool?

  struct Body: Codable, Sendable {
    /// The position of the body's gzip member in the file of bodies, in bytes.
    let offset: Int64
    /// The size of the gzip member. `bytes` is the size of the uncompressed body.
    let length: Int
    let bytes: Int
    let crc32: UInt32
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

  /// Returns the headers to record: the usual headers and the headers in `names`, which are lowercase. Drops all
  /// others, because any header can contain a credential.
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

/// The last line of a complete recording's index. `answers` is the number of the lines before it.
struct RecordingEnd: Codable, Sendable {
  let answers: Int
  let endedAt: String
}
