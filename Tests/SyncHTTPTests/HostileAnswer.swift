import SyncTestKit

struct HostileAnswer {
  private var generator: SeededGenerator
  /// A factor for the probability of each fault. It is often small, so that the client reads many answers to the end.
  private var hostility = 1.0

  static func make(seed: UInt64, number: Int) -> RawServer.Answer {
    var one = HostileAnswer(generator: SeededGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(number)))
    return one.answer()
  }

  private mutating func answer() -> RawServer.Answer {
    hostility = pick([0.1, 0.3, 1])
    var bytes = chance(0.05) ? noHTTP() : []
    if bytes.isEmpty {
      if chance(0.25) { for _ in 0..<Int.random(in: 1...4, using: &generator) { bytes += informational() } }
      bytes += whole()
      if chance(0.08) { bytes += whole() }
    }
    if chance(0.25) { mutate(&bytes) }
    // Few connections stay open, because each can make the client wait until its deadline.
    let ending: RawServer.Ending = chance(0.1) ? .keepOpen : chance(0.1) ? .reset : .close
    return RawServer.Answer(pieces: pieces(bytes), ending: ending)
  }

  private mutating func whole() -> [UInt8] {
    let (framing, body) = framedBody()
    var headers = framing
    while Bool.random(using: &generator) { headers.append(header()) }
    headers.shuffle(using: &generator)
    let lineEnd = chance(0.03) ? "\n" : "\r\n"
    return Array(([statusLine()] + headers + ["", ""]).joined(separator: lineEnd).utf8) + body
  }

  private mutating func statusLine() -> String {
    let version = chance(0.2) ? pick(Self.versions) : "HTTP/1.1"
    let number = Int.random(in: 0...999, using: &generator)
    let status: String
    switch chance(0.6) ? Int.random(in: 1...3, using: &generator) : 0 {
    case 1: status = String(("000" + String(number % 110)).suffix(3))
    case 2: status = String(("000" + String(number)).suffix(3))
    case 3: status = pick(Self.statuses)
    default: status = pick(["200", "200", "204", "304", "404", "500"])
    }
    return version + (chance(0.2) ? pick(["  ", "\t", ""]) : " ") + status + (chance(0.2) ? pick(Self.reasons) : " OK")
  }

  private mutating func informational() -> [UInt8] {
    let isUsual = !chance(0.3)
    var lines = [
      "HTTP/1.1 " + pick(isUsual ? ["100 Continue", "103 Early Hints"] : ["100", "199 X", "101 X", "099 X"])
    ]
    if chance(0.3) { lines.append(header()) }
    if chance(0.2) { lines.append(pick(Self.lengths)) }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  private mutating func header() -> String {
    if chance(0.02) { return "X-Large: " + String(repeating: "v", count: pick([70_000, 90_000, 1 << 20])) }
    if chance(0.02) {
      return (0..<pick([200, 300])).map { "X-\($0): \(String(repeating: "v", count: 3_500))" }.joined(separator: "\r\n")
    }
    return chance(0.6) ? pick(Self.headers) : pick(Self.usualHeaders)
  }

  private mutating func framedBody() -> ([String], [UInt8]) {
    var body =
      Int.random(in: 0..<3, using: &generator) == 0
      ? GzipSample.pages : Array(repeating: UInt8(0x61), count: pick([0, 1, 17, 4_096, 60_000]))
    var headers: [String] = body == GzipSample.pages || chance(0.05) ? GzipSample.header : []
    if chance(0.1) { body = Array(body.prefix(body.count / 2)) }
    if chance(0.05) { body = GzipSample.bomb }
    if chance(0.05) { body += [0x1F, 0x8B, 0x08, 0x00, 0x41] }
    switch Int.random(in: 0..<3, using: &generator) {
    case 0 where chance(0.5): headers += (0..<pick([1, 2])).map { _ in pick(Self.lengths) }
    case 0: headers.append("Content-Length: \(chance(0.3) ? body.count + 3 : body.count)")
    case 1:
      headers.append(chance(0.2) ? pick(Self.encodings) : "Transfer-Encoding: chunked")
      if chance(0.2) { headers.append("Content-Length: \(body.count)") }
      body = chunked(body)
    default: break
    }
    return (headers, body)
  }

  private mutating func chunked(_ body: [UInt8]) -> [UInt8] {
    var rest = body[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      let chunk = rest.prefix(Int.random(in: max(1, body.count / 20)...max(1, body.count / 3), using: &generator))
      rest = rest.dropFirst(chunk.count)
      let size = chance(0.05) ? pick(Self.chunkSizes) : String(chunk.count, radix: 16)
      bytes += Array((size + "\r\n").utf8) + chunk + (chance(0.03) ? [] : Array("\r\n".utf8))
    }
    return bytes + Array((chance(0.5) ? pick(Self.lastChunks) : "0\r\n\r\n").utf8)
  }

  private mutating func noHTTP() -> [UInt8] {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: Array(pick(Self.banners).utf8)
    case 1: (0..<pick([1, 20, 3_000])).map { _ in UInt8.random(in: 0...255, using: &generator) }
    default: []
    }
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<(chance(0.7) ? min(bytes.count, 200) : bytes.count), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(pick([0, 0x0A, 0x0D, 0x20, 0x30, 0x3A, 0x80, 0xFF]), at: place)
      case 3: bytes[place] = pick(Array("0123456789".utf8))
      default: bytes.removeSubrange((chance(0.3) ? place : max(place, bytes.count - 30))...)
      }
    }
  }

  private mutating func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    guard chance(0.3), bytes.count > 1 else { return [bytes] }
    if bytes.count < 300, chance(0.3) { return bytes.map { [$0] } }
    let place = Int.random(in: 1..<bytes.count, using: &generator)
    return [Array(bytes[..<place]), Array(bytes[place...])]
  }

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < share * hostility
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  private static let versions = [
    "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.9", "HTTP/9.9", "HTTP/11.1", "HTTP/1.", "http/1.1", "HTTP", "ICY",
    "RTSP/1.0", "", "\u{0}HTTP/1.1",
  ]
  private static let statuses = [
    "", "0", "00", "000", "1", "99", "099", "100", "101", "102", "199", "0200", "2x0", "+200", "-1", "600", "999",
    "1000", "65535", "65536", "99999999999999999999", "20\u{0}0",
  ]
  private static let reasons = ["", " ", " \u{0}", " \u{7F}\u{E9}", " " + String(repeating: "r", count: 5_000)]
  private static let lengths = [
    "Content-Length: 0", "Content-Length: 1", "Content-Length: -1", "Content-Length: +5", "Content-Length: 5,5",
    "Content-Length: 5, 6", "Content-Length: ", "Content-Length: abc", "Content-Length: 0x10", "Content-Length: 1 1",
    "Content-Length: 65537", "Content-Length: 9223372036854775807", "Content-Length: 9223372036854775808",
    "Content-Length: 18446744073709551615", "Content-Length: 18446744073709551616",
    "Content-Length: 99999999999999999999999999",
  ]
  private static let encodings = [
    "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked", "Transfer-Encoding:",
    "Transfer-Encoding : chunked", "Transfer-Encoding: \u{0}chunked",
  ]
  private static let usualHeaders = [
    "Content-Type: application/json", "Connection: close", "Connection: keep-alive", "ETag: \"1\"",
  ]
  private static let headers = [
    "Connection: upgrade\r\nUpgrade: websocket", "Upgrade: h2c",
    "Content-Encoding: gzip", "Content-Encoding: deflate", "Content-Encoding: gzip, gzip", "Content-Encoding: br",
    "Retry-After: 9223372036854775808", "Retry-After: -1", "Date: yesterday", "ETag: \"\u{0}\"", ": no name",
    "no colon", "", " folded: 1", "X: a\r\n b", "X: \u{0}", "X\u{0}: 1", "X: \u{E9}\u{FF}", "X: a\nY: b", "X: a\rY: b",
    "Location: http://127.0.0.1:1/", "Trailer: X", "Keep-Alive: timeout=0",
  ]
  private static let chunkSizes = [
    "0", "-1", "ZZ", "", " 5", "5 ", "5;a=b", "5;\u{0}", "+5", "0x5", "7FFFFFFFFFFFFFFF", "8000000000000000",
    "FFFFFFFFFFFFFFFF", "10000000000000000", "00000000000000000000005",
  ]
  private static let lastChunks = [
    "0\r\n", "", "0\n\n", "0\r\nX: 1\r\n\r\n", "0\r\n: 1\r\n\r\n",
    "0\r\nX\u{0}: 1\r\n\r\n", "0\r\nContent-Length: 5\r\n\r\n", "00000\r\n\r\n", "0\r\n\r\ntail",
  ]
  private static let banners = [
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "220 mail ESMTP\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "<html></html>",
    "\r\n\r\n\r\n",
    "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{28}", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1", "HTTP/1.1 200 OK\r\n",
  ]
}
