import SyncCore
import SyncTestKit

@testable import PokeAPISource

struct PokeAPIStreamReader {
  let stream: PokeAPIStream

  init(_ endpoint: String = "pokemon", pageSize: Int = 20, build: String? = nil) {
    stream = PokeAPIStream(
      endpoint, baseURL: "http://test/api/v2", pageSize: pageSize, ttl: .seconds(72_000), build: build)
  }

  func answer(
    _ body: some Sequence<UInt8>, status: Int = 200, headers: [String: String] = json, page: Int = 1
  ) throws -> Page {
    try stream.read(
      UpstreamResponse(status: status, headers: headers, body: Array(body)),
      to: stream.request(PageAddress(page: page, size: stream.description.pageSize)))
  }

  func page(_ body: some Sequence<UInt8>) throws -> Page {
    let page = try answer(body)
    guard case .items = page else { throw Unread() }
    return page
  }

  func page(links: [String], rest: String = #""count":1,"next":null"#) throws -> Page {
    try page("{\(rest),\"results\":[\(links.map { "{\"url\":\"\($0)\"}" }.joined(separator: ","))]}".utf8)
  }

  func lookup(
    _ key: Int64, _ body: some Sequence<UInt8>, status: Int = 200, headers: [String: String] = json
  ) throws -> LookupAnswer {
    guard let lookup = stream.lookup else { throw Unread() }
    return try lookup.read(
      UpstreamResponse(status: status, headers: headers, body: Array(body)), key: key, to: lookup.request(key: key))
  }

  func document(_ key: Int64, _ body: some Sequence<UInt8>) throws -> PageItem {
    guard case .item(.item(let item)) = try lookup(key, body) else { throw Unread() }
    return item
  }

  func rejected(_ key: Int64, _ body: some Sequence<UInt8>) throws -> RejectedItem {
    guard case .item(.rejected(let item)) = try lookup(key, body) else { throw Unread() }
    return item
  }

  static let json = ["content-type": "application/json; charset=utf-8"]

  private struct Unread: Error {}
}

extension Page {
  var listed: [Int64] { entries.compactMap { if case .listed(let key) = $0 { key } else { nil } } }
}

func forms(_ request: UpstreamRequest) -> [String] { [request.url] + request.alternatives }
