import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

/// The declared source `hub`, whose resource `issues` has a list for each item of its parent `repos`. A `ParentsAPI`
/// serves both.
struct Hub: Sendable {
  static let lookup = "lookup: issues/{id}"
  static let parent = ["lookup: repos/{id}", "counters: [stars]"]

  var paging = PagedAPI.Paging.pages
  /// Elements of the endpoint of `issues`, such as `params: …`.
  var endpoint: [String] = []
  /// More lines of `issues`.
  var child = [lookup]
  /// More lines of `repos`.
  var parent = parent
  var parentKey = "id"
  /// The members of `include_from_parent`. Empty for none.
  var included = "full_name, stars"
  var parentColumns = "full_name: text"
  /// Whether the labels of each issue are a resource.
  var hasLabels = false

  private var paginator: String {
    switch paging {
    case .pages: "{ type: page_number, base_page: 1 }"
    case .offset: "{ type: offset, limit: 2 }"
    case .next: "json_link"
    case .link: "header_link"
    case .cursor: "{ type: cursor, cursor_path: cursors.next, cursor_param: cursor }"
    case .single: "single_page"
    }
  }

  private var labels: [String] {
    [
      "- name: labels", "  primary_key: name", "  columns: { name: text }", "  identity: with_parent",
      "  endpoint: { path: \"issues/{resources.issues.id}/labels\", data_selector: data, paginator: single_page }",
    ]
  }

  private var issues: [String] {
    let selector = paging.hasTotal ? ["data_selector: data"] : []
    let endpoint = ["path: \"repos/{resources.repos.full_name}/issues\"", "paginator: \(paginator)"] + selector
    return [
      "- name: issues", "  primary_key: id", "  columns: { title: text }",
      "  endpoint: { \((endpoint + self.endpoint).joined(separator: ", ")) }",
    ] + (paging.hasTotal ? ["  total_path: meta.total"] : [])
      + (included.isEmpty ? [] : ["  include_from_parent: [\(included)]"]) + child.map { "  \($0)" }
  }

  private var repos: [String] {
    [
      "- name: repos", "  primary_key: \(parentKey)", "  total_path: meta.total", "  columns: { \(parentColumns) }",
      "  endpoint: { path: repos, data_selector: data, paginator: single_page }",
    ] + parent.map { "  \($0)" }
  }

  /// A configuration file. Children precede their parents, which are read first nevertheless.
  func file(at base: String) -> String {
    Self.file((hasLabels ? labels : []) + issues + repos, at: base)
  }

  /// A configuration file with these resources of the source `hub`.
  static func file(_ resources: [String], at base: String) -> String {
    let lines =
      ["sources:", "  hub:", "    type: rest_api", "    client: { base_url: \"\(base)\" }", "    resources:"]
      + resources.map { "      \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ParentsAPI {
  /// The places of the issues as `Mirror.places()` returns them after a run that reads all lists.
  var places: String {
    let lists = self.parents.keys.sorted().map { id in (id, self.issues[id]?.map(\.key) ?? []) }
      .filter { !$0.1.isEmpty }
    return lists.map { "\($0): \($1.joined(separator: " "))" }.joined(separator: ", ")
  }

  /// Returns the parents whose lists were requested since the last call, and forgets all requests.
  func takeLists() -> [Int] {
    let ids = takeRequests().compactMap { target in
      target.firstMatch(of: /^\/repos\/o\/r([0-9]+)\/issues/).flatMap { Int($0.output.1) }
    }
    return ids.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Returns the issues whose own addresses were requested since the last call, and forgets all requests.
  func takeLookups() -> [String] {
    takeRequests().filter { $0.hasPrefix("/issues/") }.map { String($0.dropFirst("/issues/".count)) }
  }
}

extension Mirror {
  /// Runs `body` with a mirror whose configuration is the file, and with the API's address.
  /// - Parameter file: Returns the configuration file for an address of the API.
  static func withHub(
    _ api: ParentsAPI, file: (_ address: String) -> String,
    _ body: (_ mirror: Mirror, _ address: String) async throws -> Void
  ) async throws {
    let name = try await MigratedDatabases.shared.name(for: file("http://127.0.0.1:9"))
    try await Mirror.with(api, start: .copy(of: name)) { mirror, server in
      _ = try mirror.home.write(file(server.baseURL), to: "syncctl.yaml")
      try await body(mirror, server.baseURL)
    }
  }

  static func withHub(
    _ api: ParentsAPI, _ hub: Hub = Hub(), _ body: (_ mirror: Mirror, _ address: String) async throws -> Void
  ) async throws {
    try await withHub(api, file: hub.file, body)
  }

  /// Writes the file `syncctl.yaml`, which the program finds in its working folder.
  func declare(_ hub: Hub, at address: String) throws {
    _ = try home.write(hub.file(at: address), to: "syncctl.yaml")
  }

  /// Runs the source `hub`.
  /// - Returns: The reports by stream, and what the run said.
  @discardableResult
  func runHub(
    _ arguments: String..., exit: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (runs: [String: JSONValue], said: String) {
    let result = try await syncctl(["run", "--source", "hub", "--format", "json"] + arguments)
    #expect(result.end == .exit(exit), "\(result.standardError)", sourceLocation: sourceLocation)
    return (try runs(result), result.standardError)
  }

  /// The places of a resource: `1: 100, 2: 200 201`. An unread place ends with `u`.
  func places(of resource: String = "issues") async throws -> String {
    try await sql(
      """
      SELECT string_agg(format('%s: %s', list, keys), ', ' ORDER BY list) FROM (
        SELECT list, string_agg(syncctl_key || CASE WHEN unread THEN 'u' ELSE '' END, ' ' ORDER BY position) AS keys
        FROM hub.\(resource)_list GROUP BY list) AS lists
      """)
  }

  func vanishedIssues() async throws -> String {
    try await sql("SELECT string_agg(id::text, ' ' ORDER BY id) FROM hub.issues WHERE vanished_at IS NOT NULL")
  }

  /// Digests of the versions of all rows of the source.
  func rowVersions() async throws -> String {
    let tables = try await sql("SELECT tablename FROM pg_tables WHERE schemaname = 'hub' ORDER BY 1")
    return try await sql(
      tables.split(separator: "\n").map {
        "SELECT '\($0)', count(*), md5(string_agg(concat(xmin, xmax, ctid), ' ' ORDER BY ctid)) FROM hub.\($0)"
      }.joined(separator: " UNION ALL "))
  }

  /// Returns the tables and keys of the differences that `verify` finds.
  func differences(
    _ arguments: String..., exit: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let result = try await asOwner.syncctl(["verify", "--source", "hub", "--format", "json"] + arguments)
    let said = "\(result.standardError)\n\(result.standardOutput)"
    #expect(result.end == .exit(exit), "\(said)", sourceLocation: sourceLocation)
    let found = try #require(try JSONValue(result.standardOutput)["differences"]?.array)
    return found.map { difference in
      let key = difference["key"]
      return "\(difference["table"]?.text ?? "") \(key?["list"]?.int ?? 0) \(key?["syncctl_key"]?.int ?? 0)"
    }
  }
}
