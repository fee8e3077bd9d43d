import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization

final class DriftingUpstream: PagedStream, Transport, ItemLookup {
  private struct State {
    var list: DriftingList
    /// The header `answer` of a response is an index into these answers.
    var answers: [Page] = []
    var there: Set<Int64> = []
  }

  let description: StreamDescription
  private let state: Mutex<State>
  private let recognition: Recognition

  init(_ list: DriftingList, _ recognition: Recognition = .none) {
    self.recognition = recognition
    let settings = list.settings
    state = Mutex(State(list: list))
    description = StreamDescription(
      id: StreamID(source: SourceID(rawValue: "test"), name: "list"), provider: "test", origin: "http://test",
      pageSize: settings.pageSize,
      method: settings.kind == .list ? .pages : .catalogue(pageCap: settings.isCapKnown ? settings.pageCap : nil),
      absence: settings.kind == .list ? .endsEntry(.wholeList) : .questionsItem(.wholeList),
      sql: StreamSQL(folder: "test", scope: []))
  }

  var lookup: (any ItemLookup)? { self }
  var there: Set<Int64> { state.withLock { $0.there } }

  func watch() {
    state.withLock { state in
      state.list.watch()
      state.there = []
    }
  }

  func withList<R: Sendable>(_ body: (inout DriftingList) -> R) -> R { state.withLock { body(&$0.list) } }

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(
      url: "http://test/list?\(address.page)&\(address.size)&\(address.direction == .forward ? "asc" : "desc")")
  }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    let query = request.url.drop { $0 != "?" }.dropFirst().split(separator: "&")
    return try state.withLock { state throws(SyncError) in
      guard query.count == 3, let page = Int(query[0]), let size = Int(query[1]) else {
        state.list.drift()
        let key = query.first.flatMap { Int64($0) }
        let isThere = key.map { state.list.contains($0) } ?? false
        if isThere, let key { state.there.insert(key) }
        return UpstreamResponse(status: isThere ? 200 : 404, headers: [:], body: [])
      }
      let address = PageAddress(page: page, size: size, direction: query[2] == "asc" ? .forward : .backward)
      guard let answer = state.list.answer(address) else {
        throw SyncError(.upstream, "\(request.url) answered 500", disposition: .retry(after: nil))
      }
      var headers: [String: String] = [:]
      var body = Array("\(state.answers.count)".utf8)
      if recognition != .none, case .items(_, let claim) = answer {
        let text = "\(answer.keys) \(claim)".utf8.reduce(5381) { $0 &* 33 ^ Int($1) }
        body = Array("\(text)".utf8)
        if recognition == .etags { headers["etag"] = "\"\(text)\"" }
        if recognition == .etags, request.validators?.etag == headers["etag"] {
          return UpstreamResponse(status: 304, headers: headers, body: [])
        }
      }
      state.answers.append(answer)
      headers["answer"] = "\(state.answers.count - 1)"
      return UpstreamResponse(status: 200, headers: headers, body: body)
    }
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    guard let number = response.headers["answer"].flatMap({ Int($0) }) else { return .notFound }
    let answer = state.withLock { $0.answers[number] }
    guard case .items(let entries, let claim) = answer else { return answer }
    return .items(entries.compactMap { $0.key.map(Page.Entry.init(id:)) }, claim)
  }

  func request(key: Int64) -> UpstreamRequest { UpstreamRequest(url: "http://test/item?\(key)") }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    response.status == 404 ? .gone : .item(Page.Entry(id: key))
  }
}

extension Page.Entry {
  fileprivate init(id: Int64) { self = .item(PageItem(key: id, document: [0], contentHash: [0], counterHash: 0)) }
}
