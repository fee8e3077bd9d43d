import Foundation
import Synchronization
package import UpstreamSimulator

/// A list of parents, and a list of issues for each parent. A test can change everything at any time. `SimulatorServer`
/// serves these paths:
///
/// ```
/// /repos              the parents, on one page      /repos/3       a parent's own address
/// /repos/o/r3/issues  the issues of parent 3        /issues/300    an issue's own address
/// /issues/300/labels  the labels of an issue
/// /weather/CITY       three days of a city, also as /forecast?city=CITY; the address of a day is /days/CITY-1
/// ```
///
/// The lists of parents and issues claim their totals. `PagedAPI` serves the lists of issues, with the path
/// `/repos/o/r3/issues` instead of its own.
@dynamicMemberLookup
package final class ParentsAPI: SimulatedUpstream {
  package struct Parent: Sendable {
    package let id: Int
    /// The member `full_name` as JSON. `nil` for a parent without this member.
    package var name: String?
    package var stars: Int
    /// The value of a member that is no counter.
    package var note = 0

    package init(id: Int) {
      self.id = id
      name = "\"o/r\(id)\""
      stars = id
    }

    fileprivate var json: String {
      let name = name.map { ", \"full_name\": \($0)" } ?? ""
      return "{\"id\": \(id), \"key\": \(id), \"stars\": \(stars), \"note\": \(note)\(name)}"
    }
  }

  package struct Settings: Sendable {
    package var parents: [Int: Parent] = [:]
    /// Parents that the list has, although their own addresses and their lists answer 404.
    package var listedOnly: [Parent] = []
    /// The issues by the id of their parent.
    package var issues: [Int: [PagedAPI.Item]] = [:]
    package var paging = PagedAPI.Paging.pages
    package var pageSize = 2
    /// Claimed totals by the id of the parent (default: the number of issues).
    package var totals: [Int: Int] = [:]
    /// The status of the answers to requests whose target contains the text.
    package var refused: [String: Int] = [:]
    /// Requests whose target contains the text wait at the gate. A test must open the gate at its end.
    package var gate: (text: String, gate: Gate)?
    /// Cities whose days have no address of their own.
    package var lostCities: Set<String> = []
  }

  private struct State {
    var settings = Settings()
    var requests: [SimulatedRequest] = []
  }

  private let state: Mutex<State>

  /// Creates parents from 1 on. Parent 3 has three issues, from 300 on.
  package init(parents count: Int = 5) {
    var state = State()
    for id in 1...count {
      state.settings.parents[id] = Parent(id: id)
      state.settings.issues[id] = (0..<id).map { Self.issue(100 * id + $0) }
    }
    self.state = Mutex(state)
  }

  package static func issue(_ id: Int, title: String? = nil) -> PagedAPI.Item {
    PagedAPI.Item(key: "\(id)", json: "{\"id\": \(id), \"title\": \"\(title ?? "日本 \(id)")\"}")
  }

  package subscript<T: Sendable>(dynamicMember path: WritableKeyPath<Settings, T>) -> T {
    get { state.withLock { $0.settings[keyPath: path] } }
    set { state.withLock { $0.settings[keyPath: path] = newValue } }
  }

  /// Returns the targets of the requests since the last call, in the order of their arrival.
  package func takeRequests() -> [String] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests.map(\.target)
    }
  }

  /// Removes a parent. Its list and its own address answer 404.
  /// - Parameter isListed: Whether the list of parents still has it.
  package func remove(_ parent: Int, isListed: Bool = false) {
    state.withLock { state in
      guard let parent = state.settings.parents.removeValue(forKey: parent), isListed else { return }
      state.settings.listedOnly.append(parent)
    }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let settings = state.withLock { state in
      state.requests.append(request)
      return state.settings
    }
    if let gate = settings.gate, request.target.contains(gate.text) { await gate.gate.pass() }
    if let status = settings.refused.first(where: { request.target.contains($0.key) })?.value {
      return .json(#"{"message": "refused"}"#, status: status)
    }
    return await ConditionalUpstream(ScriptedUpstream { await Self.answer($0, settings) }).answer(request)
  }

  private static let missing = SimulatedAnswer.json(#"{"message": "not found"}"#, status: 404)

  private static func answer(_ request: SimulatedRequest, _ settings: Settings) async -> SimulatedAnswer {
    let parts = (request.path.removingPercentEncoding ?? request.path).split(separator: "/").map(String.init)
    switch (parts.first, parts.last) {
    case ("repos"?, "repos"?):
      return list((settings.parents.values + settings.listedOnly).sorted { $0.id < $1.id }.map(\.json))
    case ("repos"?, "issues"?):
      let name = parts.dropFirst().dropLast().joined(separator: "/")
      let parent = settings.parents.values.first { $0.name == "\"\(name)\"" }
      return if let parent { await issues(of: parent, request, settings) } else { missing }
    case ("issues"?, "labels"?): return list(["{\"name\": \"bug\"}"])
    case ("repos"?, let id?): return (settings.parents[Int(id) ?? 0]?.json).map { .json($0) } ?? missing
    case ("issues"?, let id?):
      let present = settings.issues.filter { settings.parents[$0.key] != nil }.values.joined()
      return (present.first { $0.key == id }?.json).map { .json($0) } ?? missing
    case ("forecast"?, _): return forecast(request.parameters["city"] ?? "")
    case ("weather"?, _): return forecast(parts.dropFirst().joined(separator: "/"))
    case ("days"?, let day?):
      return settings.lostCities.contains(String(day.dropLast(2))) ? missing : .json("{\"id\": \"\(day)\"}")
    default: return missing
    }
  }

  private static func list(_ items: [String]) -> SimulatedAnswer {
    .json("{\"meta\": {\"total\": \(items.count)}, \"data\": [\(items.joined(separator: ","))]}")
  }

  private static func issues(
    of parent: Parent, _ request: SimulatedRequest, _ settings: Settings
  ) async -> SimulatedAnswer {
    let api = PagedAPI(settings.issues[parent.id] ?? [])
    api.pageSize = settings.pageSize
    api.hasETags = false
    if let total = settings.totals[parent.id] { api.total = .claimed(total) }
    let place = "/\(settings.paging.rawValue)"
    api.nextAddress = { $0.replacing("\(place)?", with: "\(request.path)?") }
    var asked = request
    asked.path = place
    return await api.answer(asked)
  }

  private static func forecast(_ city: String) -> SimulatedAnswer {
    struct Day: Encodable {
      let id: String
      let city: String
    }
    let days = (1...3).map { Day(id: "\(city)-\($0)", city: city) }
    return (try? JSONEncoder().encode(days)).map { .json(Array($0)) } ?? missing
  }
}
