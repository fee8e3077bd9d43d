package struct ConditionalUpstream: SimulatedUpstream {
  private let upstream: any SimulatedUpstream

  package init(_ upstream: any SimulatedUpstream) { self.upstream = upstream }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    var answer = await upstream.answer(request)
    guard request.method == "GET", answer.status == 200 else { return answer }
    let tag = "\"\(String(Self.digest(answer.body), radix: 16))\""
    answer.headers.append(HeaderField("ETag", tag))
    let tags = request.headers.filter { $0.name.lowercased() == "if-none-match" }
      .flatMap { $0.value.split(separator: ",").map(\.trimmed) }
    guard tags.contains(where: { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }) else { return answer }
    answer.headers.removeAll { $0.name == "Content-Type" }
    return SimulatedAnswer(status: 304, headers: answer.headers)
  }

  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var state = Draws.mixed(UInt64(bytes.count))
      let whole = bytes.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
      }
      for byte in bytes[whole...] { state = (state ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
      return Draws.mixed(state)
    }
  }
}
