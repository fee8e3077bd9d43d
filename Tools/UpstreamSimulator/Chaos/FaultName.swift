struct FaultName: Sendable {
  enum Value: Sendable { case none, duration, seconds }

  let name: String
  let summary: String
  let value: Value
  let standard: Substring?
  let fault: @Sendable (Int?) -> Fault

  init(
    _ name: String, _ summary: String, _ value: Value = .none, _ standard: Substring? = nil,
    fault: @escaping @Sendable (Int?) -> Fault
  ) {
    self.name = name
    self.summary = summary
    self.value = value
    self.standard = standard
    self.fault = fault
  }

  static func named(_ name: String) -> FaultName? {
    if let fault = all.first(where: { $0.name == name }) { return fault }
    guard name.count == 3, let status = Int(name), (400...599).contains(status) else { return nil }
    return FaultName(name, "", .seconds) { .status(status, retryAfter: $0) }
  }

  static let all: [FaultName] = [
    FaultName("403-empty", "403 with an empty body, a throttle to some") { _ in .emptyForbidden },
    FaultName("hang", "accepts the request and never answers") { _ in .hang },
    FaultName("drip", "the correct answer, one byte per interval", .duration, "1s") {
      .drip(every: .milliseconds($0 ?? 0))
    },
    FaultName("delay", "the correct answer, delayed", .duration, "1s") { .delay(.milliseconds($0 ?? 0)) },
    FaultName("reset", "half of the body, then a TCP reset") { _ in .reset },
    FaultName("cut", "half of the body, then an orderly close") { _ in .cut(chunked: false) },
    FaultName("cut-chunked", "half of a chunked body, then an orderly close") { _ in .cut(chunked: true) },
    FaultName("gzip-truncated", "half of a gzip stream, as a whole body") { _ in .gzipTruncated },
    FaultName("gzip-crc", "a gzip stream with a wrong checksum") { _ in .gzipChecksum },
    FaultName("gzip-plain", "Content-Encoding: gzip on a plain body") { _ in .gzipPlain },
    FaultName("html", "200 with an HTML page, like a proxy's") { _ in .html },
    FaultName("invalid-json", "JSON that stops half way, as a whole body") { _ in .invalidJSON },
  ]

  var label: String { standard.map { "\(name):\($0)" } ?? name }
}
