import Foundation
import SyncCore
import SyncSources
import SyncTestKit

/// Reads bodies as a list stream does.
struct Reader {
  let stream: JikanStream

  init(_ kind: JikanKind = .anime) {
    self.init(.top(JikanTopList(kind: kind)))
  }

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

  /// Reads an answer of the item's own address.
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

  /// A page with these items, given as JSON.
  func page(items: [String], pagination: String = "{}") throws -> Page {
    try page("{\"pagination\":\(pagination),\"data\":[\(items.joined(separator: ","))]}".utf8)
  }

  private struct NoPage: Error {}
  private struct NoLookup: Error {}
}

extension Page {
  var items: [PageItem] {
    entries.compactMap { if case .item(let item) = $0 { item } else { nil } }
  }

  var rejected: [RejectedItem] {
    entries.compactMap { if case .rejected(let item) = $0 { item } else { nil } }
  }
}

/// An item with the least it needs, and these members as JSON.
func item(_ members: String = "", id: Int = 1) -> String {
  "{\"mal_id\":\(id),\"title\":\"T\"\(members.isEmpty ? "" : ",")\(members)}"
}

/// The bodies recorded from the real services.
enum RecordedBodies {
  static let folder = folder(of: "jikan")

  /// - Parameter service: the folder's name; nil is given back where there is none.
  static func folder(of service: String) -> URL? {
    UpstreamFixtures.path(service).map { URL(fileURLWithPath: $0) }
  }

  /// Every recorded JSON file of a service, in order of its path.
  static func all(of service: String = "jikan") -> [(name: String, body: [UInt8])] {
    guard let folder = folder(of: service),
      let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    var files: [URL] = []
    while let url = found.nextObject() as? URL {
      if url.pathExtension == "json" { files.append(url) }
    }
    return files.sorted { $0.path < $1.path }.compactMap { url in
      (try? Data(contentsOf: url)).map { (url.lastPathComponent, Array($0)) }
    }
  }
}
