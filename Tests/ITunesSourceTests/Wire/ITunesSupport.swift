import SyncCore
import SyncTestKit
import Testing

@testable import ITunesSource

struct ITunesStreamReader {
  let stream: ITunesStream

  init() throws { self.init(try ITunesSearch(term: "jack johnson", country: "us", media: "music", entity: "song")) }

  init(_ search: ITunesSearch) { stream = ITunesStream(search, baseURL: "http://test") }
  init(_ lookup: ITunesLookup) { stream = ITunesStream(lookup, baseURL: "http://test") }
  init(_ chart: ITunesChart) { stream = ITunesStream(chart, baseURL: "http://test") }

  func url(_ page: Int = 1) -> String { stream.request(address(page)).url }

  func page(_ body: some Sequence<UInt8>, page: Int = 1) throws -> Page {
    let page = try answer(body, page: page)
    guard case .items = page else { throw Unread() }
    return page
  }

  func page(records: [String], page: Int = 1) throws -> Page {
    try self.page(
      "\n\n\n{\"resultCount\":\(records.count),\"results\":[\(records.joined(separator: ","))]}".utf8, page: page)
  }

  func answer(
    _ body: some Sequence<UInt8>, status: Int = 200, headers: [String: String] = script, page: Int = 1
  ) throws -> Page {
    try stream.read(
      UpstreamResponse(status: status, headers: headers, body: Array(body)), to: stream.request(address(page)))
  }

  func error(_ body: some Sequence<UInt8>, status: Int, headers: [String: String] = script) throws -> SyncError {
    try #require(throws: SyncError.self) { try answer(body, status: status, headers: headers) }
  }

  private func address(_ page: Int) -> PageAddress { PageAddress(page: page, size: stream.description.pageSize) }

  static let script = ["content-type": "text/javascript; charset=utf-8"]

  private struct Unread: Error {}
}

extension ITunesClass {
  static func parts(ofKey key: Int64) -> (class: ITunesClass, id: Int64)? {
    guard let found = allCases.first(where: { $0.code == key & 15 }), ids.contains(key >> 4) else { return nil }
    return (found, key >> 4)
  }
}

extension ITunesStreamReader {
  static func identity(_ record: String) throws -> (class: ITunesClass, id: Int64) {
    let page = try ITunesStreamReader().page(records: [record])
    let item = try #require(page.items.first, "refused: \(page.rejected)")
    return try #require(ITunesClass.parts(ofKey: item.key))
  }

  static func refusal(_ record: String) throws -> RejectedItem {
    let page = try ITunesStreamReader().page(records: [record])
    return try #require(page.rejected.first, "taken: \(page.items.map(\.key))")
  }

  static func hash(_ record: String) throws -> [UInt8] {
    try #require(try ITunesStreamReader().page(records: [record]).items.first).contentHash
  }
}
