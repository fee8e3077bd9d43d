import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  init(_ answer: WireAnswer, status: Int, on channel: any Channel) {
    var fields = HTTPFields()
    for header in answer.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      fields.append(HTTPField(name: name, value: header.value))
    }
    self.init(
      status: HTTPResponse.Status(code: status), headers: fields, body: ResponseBody(answer.body, on: channel))
  }
}

private struct BrokenOff: Error {}

extension ResponseBody {
  fileprivate init(_ body: WireAnswer.Body, on channel: any Channel) {
    switch body {
    case .whole(let bytes): self.init(byteBuffer: ByteBuffer(bytes: bytes))
    case .never: self.init()
    case .broken(let bytes, let announced, let reset):
      self.init(contentLength: announced) { writer in
        try await writer.write(ByteBuffer(bytes: bytes))
        if reset { try await channel.reset() }
        throw BrokenOff()
      }
    case .drip(let bytes, let pause):
      self.init(contentLength: bytes.count) { writer in
        for byte in bytes {
          try await writer.write(ByteBuffer(bytes: [byte]))
          try await Task.sleep(for: pause)
        }
        try await writer.finish(nil)
      }
    }
  }
}

extension Channel {
  /// A linger time of zero causes a TCP reset.
  fileprivate func reset() async throws {
    if let socket = self as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try await close()
  }
}
