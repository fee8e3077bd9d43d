import Foundation
import SyncTestKit
import Synchronization
import UpstreamSimulator

struct HandmadeList: Sendable {
  /// Items as JSON texts, so that a test can send text that no encoder writes.
  var items: [String]

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
  var page: Int {
    let pair = query.split(separator: "&").first { $0.hasPrefix("page=") }
    return pair.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
  }
}

extension SimulatedUpstream {
  /// Lets the requests for `page` and all later pages wait at the gate. A test must open the gate at its end, because a
  /// stopping server waits for unfinished answers.
  func waiting(from page: Int, at gate: Gate) -> ScriptedUpstream {
    ScriptedUpstream { request in
      if request.page >= page { await gate.pass() }
      return await self.answer(request)
    }
  }
}

extension GeneratedJikan {
  static func plain(_ items: Int) -> GeneratedJikan {
    var settings = JikanSettings(items: items)
    settings.repeats = 0
    return GeneratedJikan(settings)
  }
}

final class Changing<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension SimulatorServer {
  var pages: [Int] { history.records.map { SimulatedRequest(path: $0.path, query: $0.query).page } }
}
