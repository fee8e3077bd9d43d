package enum Fault: Sendable, Equatable {
  case status(Int, retryAfter: Int?)
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
  case invalidJSON
}
