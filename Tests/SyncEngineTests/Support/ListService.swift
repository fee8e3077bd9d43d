import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

/// How a service serves its lists.
struct ListServing: Sendable, CustomTestStringConvertible {
  /// The answer to the request after the last item.
  enum End: Sendable, CaseIterable {
    /// No such request is needed, because each page says whether another page follows.
    case flag
    case notFound
    case empty
    case refused
  }

  var method = WalkMethod.pages
  var size = 3
  var tellsTotal = true
  var end = End.flag
  /// Whether a chain continues after the last item's key instead of its position. The items must then be sorted.
  var isByKey = false

  /// All methods, with and without totals, with all ends that the method has.
  static var all: [ListServing] {
    var all: [ListServing] = []
    for tellsTotal in [true, false] {
      for method in [WalkMethod.pages, .positions] {
        all += End.allCases.map { ListServing(method: method, tellsTotal: tellsTotal, end: $0) }
      }
      all += [true, false].map { ListServing(method: .chain, tellsTotal: tellsTotal, isByKey: $0) }
      all.append(ListServing(method: .single, tellsTotal: tellsTotal))
    }
    return all
  }

  var testDescription: String {
    "\(method)\(isByKey ? " by key" : "")\(tellsTotal ? " with totals" : ""), ends with \(end)"
  }

  /// Returns the page of a list with these items.
  func page(_ address: PageAddress, of items: [Int64]) -> Page {
    let start = start(of: address, in: items)
    let keys = items.dropFirst(start).prefix(method == .single ? items.count : size)
    if keys.isEmpty, start > 0 {
      switch end {
      case .notFound: return .notFound
      case .refused: return .refused(SyncError(.upstream, "answered 400"))
      case .empty: return .naming([])
      case .flag: break
      }
    }

    let hasNext = start + keys.count < items.count
    var claim = PageClaim(total: tellsTotal ? items.count : nil)
    if method == .chain {
      claim.next = hasNext ? next(after: start + keys.count, keys.last) : nil
      claim.nextKey = isByKey ? claim.next : nil
    } else if end == .flag {
      claim.hasNext = hasNext
    }
    if items.isEmpty, !tellsTotal {
      claim.hasNext = false
      claim.lastPage = 1
    }
    return .items(TestPage(Array(keys)).page.entries, claim)
  }

  private func next(after position: Int, _ key: Int64?) -> String { isByKey ? "k\(key ?? 0)" : "p\(position)" }

  private func start(of address: PageAddress, in items: [Int64]) -> Int {
    guard method == .chain else { return address.offset }
    let number = address.next.flatMap { Int($0.dropFirst()) } ?? 0
    return isByKey ? items.firstIndex { $0 > number } ?? items.count : number
  }

  /// Returns the description of a stream with these lists.
  func stream(_ lists: [StreamList], absence: Absence = .endsEntry(.none)) -> StreamDescription {
    var description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "lists"), provider: "test", origin: "http://test",
      pageSize: size, method: method, absence: absence, sql: StreamSQL(folder: "test", scope: []))
    description.isChainByKey = isByKey
    description.lists = StreamLists(lists)
    return description
  }

  func stream(_ names: [String], absence: Absence = .endsEntry(.none)) -> StreamDescription {
    stream(names.map { StreamList(name: $0, values: [$0]) }, absence: absence)
  }
}

extension PageAddress {
  /// The part of the list, as in `a 2`, `a @4` or `a k7`.
  var place: String {
    let name = list ?? "-"
    if let next { return "\(name) \(next)" }
    return offset == (page - 1) * size ? "\(name) \(page)" : "\(name) @\(offset)"
  }
}

/// A service with several lists. A request uses no socket and takes no time.
final class ListService: PagedStream, ItemLookup, Transport {
  /// Runs before the n-th request (from 1) for a page (`PageAddress.place`) is answered. A thrown error is the
  /// request's outcome.
  typealias Fault = @Sendable (_ place: String, _ attempt: Int) async throws -> Void

  private struct State {
    var items: [String: [Int64]]
    var addresses: [String: PageAddress] = [:]
    var requests: [String] = []
    var conditional: [String] = []
  }

  let description: StreamDescription
  private let serving: ListServing
  private let fault: Fault
  private let state: Mutex<State>

  /// - Parameters:
  ///   - lists: The lists' names in the order of the stream, with their items.
  ///   - names: The lists that the stream has. `nil` means all.
  init(
    _ lists: KeyValuePairs<String, [Int64]>, names: [String]? = nil, _ serving: ListServing = ListServing(),
    absence: Absence = .endsEntry(.none), fault: @escaping Fault = { _, _ in }
  ) {
    description = serving.stream(names ?? lists.map(\.key), absence: absence)
    self.serving = serving
    self.fault = fault
    state = Mutex(State(items: Dictionary(uniqueKeysWithValues: lists.map { ($0.key, $0.value) })))
  }

  var lookup: (any ItemLookup)? { self }
  /// The requested pages and items, as `PageAddress.place` and `item 7`.
  var requests: [String] { state.withLock { $0.requests } }
  var conditional: [String] { state.withLock { $0.conditional } }

  func change(_ list: String, _ items: [Int64]) { state.withLock { $0.items[list] = items } }

  func request(_ address: PageAddress) -> UpstreamRequest {
    let url = "http://test/\(address.place)"
    state.withLock { $0.addresses[url] = address }
    return UpstreamRequest(url: url)
  }

  func request(key: Int64) -> UpstreamRequest { UpstreamRequest(url: "http://test/item \(key)") }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let place = String(request.url.dropFirst("http://test/".count))
    let attempt = state.withLock { state in
      state.requests.append(place)
      if request.validators != nil { state.conditional.append(place) }
      return state.requests.count { $0 == place }
    }
    try await fault(place, attempt)
    // Equal pages of two lists have the same tag, as at a service whose tags are digests.
    let page = try read(UpstreamResponse(status: 200, headers: [:], body: []), to: request)
    let hash = "\(page.keys) \(page.claim)".utf8.reduce(5381) { $0 &* 33 ^ Int($1) }
    let etag = "\"\(hash)\""
    let isKnown = request.validators?.etag == etag
    return UpstreamResponse(status: isKnown ? 304 : 200, headers: ["etag": etag], body: isKnown ? [] : Array(etag.utf8))
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    state.withLock { state in
      guard let address = state.addresses[request.url], let items = address.list.flatMap({ state.items[$0] }) else {
        return .notFound
      }
      return serving.page(address, of: items)
    }
  }

  /// An item's own address returns the item as long as a list of the service has it.
  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    let isThere = state.withLock { $0.items.values.contains { $0.contains(key) } }
    return isThere ? .item(TestPage([key]).page.entries[0]) : .gone
  }
}
