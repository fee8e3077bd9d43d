/// One way of an upstream to go wrong; ``FaultName/all`` describes them.
package enum Fault: Sendable, Equatable {
  case status(Int, retryAfter: RetryAfter?)
  case emptyForbidden
  case hang
  case drip(every: Duration)
  case delay(Duration)
  case reset
  case cut(chunked: Bool)
  case gzipTruncated
  case gzipChecksum
  case gzipPlain
  case html
  case huge(bytes: Int, announced: Bool)
  case invalidJSON

  /// When to come again, in either of the two ways in which a server may say it.
  package enum RetryAfter: Sendable, Equatable {
    case seconds(Int)
    /// An HTTP date that is this many seconds in the future.
    case date(secondsAhead: Int)
  }
}

/// A name in a plan of faults: what it stands for and which value may follow it.
struct FaultName: Sendable {
  /// The parameter after the colon, with the default.
  enum Value: Sendable {
    case none
    case duration(default: Duration)
    /// Whole seconds for `Retry-After`; without a default there is no such header.
    case retryAfter(default: Int?)
    case size(default: Int)
  }

  let name: String
  let summary: String
  let value: Value
  private let make: @Sendable (Argument) -> Fault

  /// A value that was read, or its default.
  enum Argument: Sendable {
    case none
    case duration(Duration)
    case seconds(Int)
    case size(Int)
  }

  init(
    _ name: String, _ summary: String, _ value: Value = .none, make: @escaping @Sendable (Argument) -> Fault
  ) {
    self.name = name
    self.summary = summary
    self.value = value
    self.make = make
  }

  func fault(_ argument: Argument?) -> Fault { make(argument ?? standard) }

  private var standard: Argument {
    switch value {
    case .none: .none
    case .duration(let duration): .duration(duration)
    case .retryAfter(let seconds): seconds.map { .seconds($0) } ?? .none
    case .size(let bytes): .size(bytes)
    }
  }

  /// What a name stands for; any status of an error is a name.
  static func named(_ name: String) -> FaultName? {
    if let known = all.first(where: { $0.name == name }) { return known }
    guard name.count == 3, let status = Int(name), (400...599).contains(status) else { return nil }
    return FaultName(name, "", .retryAfter(default: nil)) { .status(status, retryAfter: $0.retryAfter) }
  }

  /// All names but those of the other statuses, in the order in which they are listed.
  static let all: [FaultName] = [
    FaultName("429", "too many requests, with Retry-After in seconds", .retryAfter(default: 1)) {
      .status(429, retryAfter: $0.retryAfter)
    },
    FaultName("429-date", "too many requests, with Retry-After as a date", .retryAfter(default: 1)) {
      .status(429, retryAfter: .date(secondsAhead: $0.wholeSeconds))
    },
    FaultName("429-bare", "too many requests, without Retry-After") { _ in .status(429, retryAfter: nil) },
    FaultName("403-empty", "403 with an empty body, a throttle to some") { _ in .emptyForbidden },
    FaultName("hang", "accepts the request and never answers") { _ in .hang },
    FaultName("drip", "the correct answer, one byte per interval", .duration(default: .seconds(1))) {
      .drip(every: $0.time)
    },
    FaultName("delay", "the correct answer, delayed", .duration(default: .seconds(1))) { .delay($0.time) },
    FaultName("reset", "half of the body, then a TCP reset") { _ in .reset },
    FaultName("cut", "half of the body, then an orderly close") { _ in .cut(chunked: false) },
    FaultName("cut-chunked", "half of a chunked body, then an orderly close") { _ in
      .cut(chunked: true)
    },
    FaultName("gzip-truncated", "half of a gzip stream, as a whole body") { _ in .gzipTruncated },
    FaultName("gzip-crc", "a gzip stream with a wrong checksum") { _ in .gzipChecksum },
    FaultName("gzip-plain", "Content-Encoding: gzip on a plain body") { _ in .gzipPlain },
    FaultName("html", "200 with an HTML page, like a proxy's") { _ in .html },
    FaultName("huge", "a chunked body of that size", .size(default: 256 << 20)) {
      .huge(bytes: $0.bytes, announced: false)
    },
    FaultName("huge-announced", "a body of that size, with its Content-Length", .size(default: 256 << 20)) {
      .huge(bytes: $0.bytes, announced: true)
    },
    FaultName("invalid-json", "JSON that stops half way, as a whole body") { _ in .invalidJSON },
  ]
}

extension FaultName.Argument {
  fileprivate var time: Duration {
    if case .duration(let duration) = self { duration } else { .zero }
  }

  fileprivate var wholeSeconds: Int {
    if case .seconds(let seconds) = self { seconds } else { 0 }
  }

  fileprivate var retryAfter: Fault.RetryAfter? {
    if case .seconds(let seconds) = self { .seconds(seconds) } else { nil }
  }

  fileprivate var bytes: Int {
    if case .size(let bytes) = self { bytes } else { 0 }
  }
}
