import SyncCore
import SyncEngine
import Synchronization

/// A list whose pages name the next page by a cursor. A request uses no socket and takes no time.
final class ChainScript: PagedStream, ItemLookup, Transport {
  /// Runs before the n-th request (from 1) for a path is answered; a thrown error is the request's outcome.
  typealias Fault = @Sendable (_ path: String, _ attempt: Int) async throws -> Void

  struct Request: Sendable, Equatable {
    /// The cursor of a page, `first` for page 1, or the item of a lookup (`items/7`).
    let path: String
    let isConditional: Bool
  }

  let description: StreamDescription
  private let pages: [String: TestPage]
  private let found: Set<Int64>
  private let fault: Fault
  private let log = Mutex<[Request]>([])

  /// - Parameter found: The items whose own address returns them. Any other item's address answers 404.
  init(
    _ pages: [TestPage], absence: Absence = .endsEntry(.wholeList), found: Set<Int64> = [],
    fault: @escaping Fault = { _, _ in }
  ) {
    let paths = ["first"] + pages.map { $0.claim.next ?? "" }
    self.pages = Dictionary(zip(paths, pages)) { first, _ in first }
    self.found = found
    self.fault = fault
    var description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "chain"), provider: "test", origin: "http://test",
      pageSize: 3, method: .chain, absence: absence, sql: StreamSQL(folder: "test", scope: []))
    description.evidenceRemedy = "declare a total"
    self.description = description
  }

  var lookup: (any ItemLookup)? { self }
  var requests: [String] { log.withLock { $0.map(\.path) } }
  var conditional: [String] { log.withLock { $0.filter(\.isConditional).map(\.path) } }

  private static let base = "http://test/"

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(url: Self.base + (address.next ?? "first"))
  }

  func request(key: Int64) -> UpstreamRequest { UpstreamRequest(url: "\(Self.base)items/\(key)") }

  func request(for item: MissingItem) -> UpstreamRequest {
    item.members.isEmpty
      ? request(key: item.key) : UpstreamRequest(url: "\(Self.base)items/\(item.members.joined(separator: "/"))")
  }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let path = Self.path(of: request)
    let attempt = log.withLock { log in
      log.append(Request(path: path, isConditional: request.validators != nil))
      return log.count { $0.path == path }
    }
    try await fault(path, attempt)
    let hash = "\(path) \(pages[path], default: "")".utf8.reduce(5381) { $0 &* 33 ^ Int($1) }
    let etag = "\"\(hash)\""
    let isKnown = request.validators?.etag == etag
    return UpstreamResponse(
      status: isKnown ? 304 : 200, headers: ["etag": etag], body: isKnown ? [] : Array("\(hash)".utf8))
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    pages[Self.path(of: request)]?.page ?? .notFound
  }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    found.contains(key) ? .item(.listed(key)) : .gone
  }

  private static func path(of request: UpstreamRequest) -> String { String(request.url.dropFirst(base.count)) }
}

extension [TestPage] {
  /// Returns the pages of a chain. Page 2 has the cursor `c2`, page 3 has `c3`.
  /// - Parameter isByKey: Whether the cursors count as keys of the last items, so that a walk has evidence.
  static func chain(
    _ pages: [[Int64]], cursor: String = "c", total: Int? = nil, isByKey: Bool = true
  ) -> [TestPage] {
    pages.enumerated().map { place, keys in
      let next = place + 1 < pages.count ? "\(cursor)\(place + 2)" : nil
      return TestPage(
        entries: keys.map { .item($0) }, claim: PageClaim(total: total, next: next, nextKey: isByKey ? next : nil))
    }
  }
}
