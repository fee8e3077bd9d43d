import Foundation
import SyncTestKit
import Synchronization
import UpstreamSimulator

/// A list of a few items made by a test, in pages like Jikan's: 25 per page, then 404.
struct HandmadeList: Sendable {
  /// Items as JSON texts, so that a test can send text that no encoder writes.
  var items: [String]

  /// An anime with all members that a listing shows.
  static func item(_ id: Int, title: String, extra: String = "") throws -> String {
    let quoted = String(decoding: try JSONEncoder().encode(title), as: UTF8.self)
    return """
      {"mal_id": \(id), "title": \(quoted), "title_japanese": \(quoted), "type": "TV", "score": 8.5, \
      "members": \(1000 + id), "favorites": \(id), "airing": false\(extra)}
      """
  }

  static func numbered(_ ids: ClosedRange<Int>) throws -> HandmadeList {
    HandmadeList(items: try ids.map { try item($0, title: "Title \($0)") })
  }

  func answer(_ request: SimulatedRequest) -> SimulatedAnswer {
    let page = request.page
    let rows = items.dropFirst((page - 1) * 25).prefix(25)
    let lastPage = (items.count + 24) / 25
    guard request.path.hasSuffix("/top/anime"), !rows.isEmpty else { return .json(#"{"status":404}"#, status: 404) }
    return .json(
      """
      {"pagination": {"last_visible_page": \(lastPage), "has_next_page": \(page < lastPage), "current_page": \(page), \
      "items": {"count": \(rows.count), "total": \(items.count), "per_page": 25}}, \
      "data": [\(rows.joined(separator: ","))]}
      """)
  }

  var upstream: ScriptedUpstream { ScriptedUpstream { answer($0) } }
}

extension SimulatedRequest {
  /// The requested page (default: 1).
  var page: Int {
    let pair = query.split(separator: "&").first { $0.hasPrefix("page=") }
    return pair.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
  }
}

extension SimulatedUpstream {
  /// A list whose requests from `page` on wait at a gate. A server waits for its answers when it stops, so a test opens
  /// the gate at its end: `defer { gate.open() }`.
  func waiting(from page: Int, at gate: Gate) -> ScriptedUpstream {
    ScriptedUpstream { request in
      if request.page >= page { await gate.pass() }
      return await self.answer(request)
    }
  }
}

extension GeneratedJikan {
  /// A list of anime without repeats, so that numbers are predictable.
  static func plain(_ items: Int) -> GeneratedJikan {
    var settings = JikanSettings(items: items)
    settings.repeats = 0
    return GeneratedJikan(settings)
  }
}

/// A value that a test changes while a server reads it.
final class Changing<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension SimulatorServer {
  /// The pages answered so far, in order.
  var pages: [Int] { history.records.map { SimulatedRequest(path: $0.path, query: $0.query).page } }
}
