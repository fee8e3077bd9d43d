import SyncTestKit
import Testing
import UpstreamSimulator

typealias ITunesRow = JSONValue

extension JSONValue {
  var itunesID: Int? {
    let value = self["trackId"] ?? self["collectionId"] ?? self["artistId"]
    return value?.number.map { Int($0) } ?? value?.text.flatMap { Int($0) }
  }

  func integer(_ name: String) -> Int? { self[name]?.number.map { Int($0) } }

  var label: String {
    let what = self["kind"]?.text ?? self["collectionType"]?.text
    return "\(self["wrapperType"]?.text ?? "-")/\(what ?? "-")"
  }
}

extension GeneratedITunes {
  func status(_ target: String) async -> Int { await get(target).status }
}

extension SimulatedUpstream {
  func rows(_ target: String) async throws -> [ITunesRow] {
    let answer = await get(target)
    try #require(answer.status == 200, "\(target)")
    let body = try JSONValue(answer.body)
    let rows = try #require(body["results"]).elements
    #expect(body.integer("resultCount") == rows.count)
    return rows
  }

  func ids(_ target: String) async throws -> [Int] { try await rows(target).compactMap(\.itunesID) }

  func chart(_ path: String) async throws -> [ITunesRow] {
    let answer = await get("/api/v2/\(path)")
    try #require(answer.status == 200, "\(path)")
    return try #require(try JSONValue(answer.body)["feed"]?["results"]).elements
  }
}
