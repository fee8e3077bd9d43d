import Foundation
import Synchronization
package import UpstreamSimulator

/// A list of items behind each kind of paginator. A test can change everything at any time. `SimulatorServer` serves
/// the list at these paths:
///
/// ```
/// /pages?page=1&per_page=3    /next?at=0.3     the JSON member `next` has the next page's address
/// /offset?offset=0&limit=3    /link?at=0.3     the header Link has the next page's address
/// /cursor?cursor=0.3          /single          one page with all items
/// /items/KEY                                   an item's own address
/// ```
///
/// `/link` and `/single` answer with an array of items, the other lists with an object that has the items in `data`.
@dynamicMemberLookup
package final class PagedAPI: SimulatedUpstream {
  package enum Paging: String, CaseIterable, Sendable {
    case pages, offset, next, link, cursor, single

    package var isChain: Bool { [.next, .link, .cursor].contains(self) }
    /// Whether the answers state the number of items.
    package var hasTotal: Bool { self != .link && self != .single }
  }

  package struct Item: Sendable, Equatable {
    package var key: String
    package var json: String
    /// The text that `since=` is compared with.
    package var updated: String

    package init(key: String, json: String, updated: String = "") {
      self.key = key
      self.json = json
      self.updated = updated
    }

    /// - Parameters:
    ///   - second: The second of 2026-01-01 when the item was changed (default: the item's number).
    ///   - extra: More members, with a comma before them.
    package static func product(
      _ id: Int, title: String? = nil, stock: Int? = nil, second: Int? = nil, extra: String = ""
    ) -> Item {
      let second = second ?? id
      let time = "2026-01-01T00:\(two(second / 60)):\(two(second % 60))Z"
      return Item(
        key: "\(id)",
        json: """
          {"id": \(id), "title": "\(title ?? "Product \(id)")", "pricing": {"amount": "\(id).50"}, \
          "published_at": "2026-01-02T03:04:05Z", "tags": ["a", "b"], "views": \(10 * id), \
          "stock": \(stock ?? id), "updated_at": "\(time)"\(extra)}
          """,
        updated: time)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }

  package enum Total: Sendable {
    case actual
    case claimed(Int)
    case absent
  }

  /// The answer to a request for a page after the last item.
  package enum PastEnd: Sendable {
    case emptyList
    case status(Int)
    /// The list is `null`.
    case nullList
    /// The body has no list.
    case noList
    /// The status is 200, and the body names an error.
    case namedError
  }

  package enum Secret: Sendable {
    case header(String, String)
    case query(String, String)
  }

  /// Runs before an answer. The number is the request's number among the requests for lists, from 1.
  package typealias Hook = @Sendable (_ request: SimulatedRequest, _ number: Int) async -> SimulatedAnswer?

  package struct Settings: Sendable {
    package var items: [Item] = []
    /// Items that the list lacks, although their own addresses answer.
    package var unlisted: [Item] = []
    /// The number of items in a page, unless the request has a limit.
    package var pageSize = 3
    package var total = Total.actual
    /// Whether the answers have an ETag of their body. As on real services, the tag ignores the header Link.
    package var hasETags = true
    /// Whether the ETags are marked as weak.
    package var hasWeakETags = false
    /// The number of items in the largest page. A request for more items gets a page of this size.
    package var largestPage = Int.max
    /// Whether the service rounds an offset down to a multiple of the page size.
    package var isAligned = false
    package var pastEnd = PastEnd.emptyList
    /// Whether the list starts again after its last page.
    package var isEndless = false
    /// If set, a request without the secret answers 401.
    package var secret: Secret?
    /// Returns the address of the next page that the answer has. Its parameter is the true address.
    package var nextAddress: (@Sendable (String) -> String)?
    /// Cursors and links of an earlier era answer 410.
    package var era = 0
    /// If the result is not `nil`, it replaces the answer.
    package var hook: Hook?
  }

  private struct State {
    var settings = Settings()
    var requests: [SimulatedRequest] = []
    var lists = 0
  }

  private let state: Mutex<State>

  package init(_ items: [Item] = []) {
    var state = State()
    state.settings.items = items
    self.state = Mutex(state)
  }

  package subscript<T: Sendable>(dynamicMember path: WritableKeyPath<Settings, T>) -> T {
    get { state.withLock { $0.settings[keyPath: path] } }
    set { state.withLock { $0.settings[keyPath: path] = newValue } }
  }

  /// The requests since the last `forget()`, in the order of their arrival.
  package var requests: [SimulatedRequest] { state.withLock { $0.requests } }

  package var lists: [SimulatedRequest] { requests.filter { !$0.path.hasPrefix(Self.itemPath) } }

  /// The keys of the items whose own addresses were requested.
  package var lookups: [String] {
    requests.compactMap { $0.path.hasPrefix(Self.itemPath) ? Self.key(of: $0) : nil }
  }

  /// Forgets the requests, and counts the requests for lists from 1 again.
  package func forget() { state.withLock { ($0.requests, $0.lists) = ([], 0) } }

  /// Changes the list once, before the answer to this request for a list.
  package func change(before number: Int, _ body: @escaping @Sendable (PagedAPI) -> Void) {
    self.hook = { [weak self] _, arrived in
      guard arrived == number, let self else { return nil }
      self.hook = nil
      body(self)
      return nil
    }
  }

  /// Lets the requests for lists from this number on wait at the gate. A test must open the gate at its end.
  package func wait(from number: Int, at gate: Gate) {
    self.hook = { _, arrived in
      if arrived >= number { await gate.pass() }
      return nil
    }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let isList = !request.path.hasPrefix(Self.itemPath)
    let (number, hook) = state.withLock { state -> (Int, Hook?) in
      state.requests.append(request)
      state.lists += isList ? 1 : 0
      return (state.lists, isList ? state.settings.hook : nil)
    }
    if let replaced = await hook?(request, number) { return replaced }
    let plain = ScriptedUpstream { self.plainAnswer($0) }
    guard self.hasETags else { return await plain.answer(request) }
    var answer = await ConditionalUpstream(plain).answer(request)
    if self.hasWeakETags {
      answer.headers = answer.headers.map { $0.name == "ETag" ? HeaderField("ETag", "W/\($0.value)") : $0 }
    }
    return answer
  }

  private static let itemPath = "/items/"

  private static func key(of request: SimulatedRequest) -> String? {
    String(request.path.dropFirst(itemPath.count)).removingPercentEncoding
  }

  private func plainAnswer(_ request: SimulatedRequest) -> SimulatedAnswer {
    let settings = state.withLock { $0.settings }
    guard request.carries(settings.secret) else { return .json(#"{"message": "no access"}"#, status: 401) }
    guard !request.path.hasPrefix(Self.itemPath) else {
      let item = (settings.items + settings.unlisted).first { $0.key == Self.key(of: request) }
      return item.map { .json($0.json) } ?? .json(#"{"message": "not found"}"#, status: 404)
    }
    guard let paging = Paging(rawValue: String(request.path.dropFirst())) else {
      return .json(#"{"message": "no such list"}"#, status: 404)
    }
    return Listing(settings, paging, request).answer
  }

  /// One answer of a list.
  private struct Listing {
    let settings: Settings
    let paging: Paging
    let request: SimulatedRequest
    let items: [Item]

    init(_ settings: Settings, _ paging: Paging, _ request: SimulatedRequest) {
      self.settings = settings
      self.paging = paging
      self.request = request
      let since = request.parameters["since"] ?? ""
      items = settings.items.filter { $0.updated >= since }
    }

    private func number(_ name: String) -> Int? { request.parameters[name].flatMap { Int($0) } }

    private var size: Int { min(requestedSize, settings.largestPage) }

    private var requestedSize: Int {
      switch paging {
      case .single: max(items.count, 1)
      case .pages: number("per_page") ?? settings.pageSize
      case .offset: number("limit") ?? settings.pageSize
      case .next, .link, .cursor: settings.pageSize
      }
    }

    private var tokenName: String { paging == .cursor ? "cursor" : "at" }

    var answer: SimulatedAnswer {
      var start = 0
      switch paging {
      case .single: break
      case .pages: start = ((number("page") ?? 1) - 1) * size
      case .offset:
        start = number("offset") ?? 0
        if settings.isAligned { start = start / size * size }
      case .next, .link, .cursor:
        let token = request.parameters[tokenName] ?? "\(settings.era).0"
        let parts = token.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2, parts[0] == settings.era else {
          return .json(#"{"message": "the cursor has expired"}"#, status: 410)
        }
        start = parts[1]
      }
      return start > 0 && start >= items.count ? pastEnd(start) : page(from: start)
    }

    private func pastEnd(_ start: Int) -> SimulatedAnswer {
      switch settings.pastEnd {
      case .emptyList: page(from: start)
      case .status(let status): .json(#"{"message": "no such page"}"#, status: status)
      case .nullList: .json(#"{"data": null}"#)
      case .noList: .json(#"{"page": {}}"#)
      case .namedError: .json(#"{"error": "page out of range"}"#)
      }
    }

    private func page(from start: Int) -> SimulatedAnswer {
      var shown = Array(items.dropFirst(start).prefix(size))
      var hasNext = start + size < items.count
      if settings.isEndless, !items.isEmpty {
        shown = (start..<start + size).map { items[$0 % items.count] }
        hasNext = true
      }
      let list = "[\(shown.map(\.json).joined(separator: ","))]"
      let token = hasNext && paging.isChain ? "\(settings.era).\(start + size)" : nil
      let address = token.map(nextAddress)
      guard paging.hasTotal else {
        let link = address.map { HeaderField("Link", "<\($0)>; rel=\"next\", <https://first.example>; rel=\"first\"") }
        return .json(list, headers: link.map { [$0] } ?? [])
      }
      let total: Int? =
        switch settings.total {
        case .actual: items.count
        case .claimed(let number): number
        case .absent: nil
        }
      let ends = [
        paging == .next ? #""next": \#(address.map { "\"\($0)\"" } ?? "null")"# : nil,
        paging == .cursor ? #""cursors": {"next": \#(token.map { "\"\($0)\"" } ?? "null")}"# : nil,
      ].compactMap(\.self).map { ", " + $0 }.joined()
      return .json(#"{"meta": {\#(total.map { "\"total\": \($0)" } ?? "")}, "data": \#(list)\#(ends)}"#)
    }

    /// The address of the next page has all parameters of the request, as on services that repeat an API key.
    private func nextAddress(_ token: String) -> String {
      let kept = request.query.split(separator: "&").filter { !$0.hasPrefix("\(tokenName)=") }.map(String.init)
      let query = (kept + ["\(tokenName)=\(token)"]).joined(separator: "&")
      let address = "http://\(request.header("host") ?? "")\(request.path)?\(query)"
      return settings.nextAddress?(address) ?? address
    }
  }
}

extension [PagedAPI.Item] {
  package static func products(_ ids: ClosedRange<Int>) -> [PagedAPI.Item] { ids.map { .product($0) } }
}

extension SimulatedRequest {
  package var parameters: [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  fileprivate func carries(_ secret: PagedAPI.Secret?) -> Bool {
    switch secret {
    case nil: true
    case .header(let name, let value): header(name) == value
    case .query(let name, let value): parameters[name] == value
    }
  }
}
