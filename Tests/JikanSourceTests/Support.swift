import Foundation
import SyncCore
import SyncTestKit

@testable import JikanSource

struct Reader {
  let stream: JikanStream

  init(_ kind: JikanKind = .anime) { self.init(.top(JikanTopList(kind: kind))) }

  init(_ list: JikanList) {
    stream = JikanStream(list, provider: .tenrai, baseURL: "http://test/v1")
  }

  func answer(
    _ body: some Sequence<UInt8>, status: Int = 200, headers: [String: String] = [:], page: Int = 7
  ) throws -> Page {
    try stream.read(
      UpstreamResponse(status: status, headers: headers, body: Array(body)),
      to: stream.request(PageAddress(page: page, size: 50)))
  }

  func lookup(_ key: Int64, _ body: some Sequence<UInt8>, status: Int = 200) throws -> LookupAnswer {
    guard let lookup = stream.lookup else { throw NoLookup() }
    return try lookup.read(
      UpstreamResponse(status: status, headers: [:], body: Array(body)), key: key, to: lookup.request(key: key))
  }

  func page(_ body: some Sequence<UInt8>) throws -> Page {
    let page = try answer(body)
    guard case .items = page else { throw NoPage() }
    return page
  }

  func page(items: [String], pagination: String = "{}") throws -> Page {
    try page("{\"pagination\":\(pagination),\"data\":[\(items.joined(separator: ","))]}".utf8)
  }

  private struct NoPage: Error {}
  private struct NoLookup: Error {}
}

func item(_ members: String = "", id: Int = 1) -> String {
  "{\"mal_id\":\(id),\"title\":\"T\"\(members.isEmpty ? "" : ",")\(members)}"
}
