import SyncCore
import SyncTelemetry
import Testing

@Suite("Where the listener listens")
struct ListenAddressTests {
  @Test(
    "addresses",
    arguments: [
      ("127.0.0.1:9464", "127.0.0.1", 9464), ("[::1]:9464", "::1", 9464), ("0.0.0.0:0", "0.0.0.0", 0),
      ("localhost:80", "127.0.0.1", 80), ("[::]:65535", "::", 65_535),
    ])
  func valid(_ text: String, _ host: String, _ port: Int) throws {
    let address = try ListenAddress(text)
    #expect(address == ListenAddress(host: host, port: port))
    #expect(try ListenAddress(address.description) == address)
  }

  @Test(
    "errors name the part that is wrong",
    arguments: [
      ("", "it has no port"), ("127.0.0.1", "it has no port"), (":9464", "it has no host"),
      ("127.0.0.1:", "the port is not a number"), ("127.0.0.1:65536", "the port is not a number"),
      ("127.0.0.1:+1", "the port is not a number"), ("127.0.0.1:٣", "the port is not a number"),
      ("127.0.0.1:http", "the port is not a number"), ("::1:9464", "needs brackets"), ("[::1]", "the port"),
      ("[127.0.0.1]:9464", "no IPv6 address in the brackets"), ("[]:9464", "no IPv6 address in the brackets"),
      ("[::1%lo]:9464", "no IPv6 address in the brackets"), ("256.0.0.1:1", "not an IP address"),
      ("example.org:9464", "not an IP address"), (" 127.0.0.1:1", "not an IP address"),
      ("127.0.0.1\0:1", "not an IP address"), ("127.0.0.1\u{1B}[31m:1", "not an IP address"),
    ])
  func invalid(_ text: String, _ reason: String) throws {
    let error = try #require(#expect(throws: SyncError.self) { try ListenAddress(text) })
    #expect(error.code == .usage)
    #expect(error.message.contains(reason), "\(error)")
    #expect(error.hint?.contains("127.0.0.1:9464") == true)
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
  }
}
