import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

extension SourceCommand {
  struct Draft: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read one page of a list and write a commented declaration.",
      discussion: """
        The declaration is a guess; check it with syncctl source check. A key or token of the request is read from \
        the variable SYNCCTL_DRAFT_TOKEN and sent as a bearer token.

        Example:
          syncctl source draft 'https://api.example.org/v2/products?per_page=100' > shop.yaml
        """)

    @Argument(help: "The address of a list's first page.")
    var url: String

    @Option(help: "The source's name (default: from the address).")
    var name: String?

    func run() async throws {
      guard let parts = URLComponents(string: url), let host = parts.host, ["http", "https"].contains(parts.scheme)
      else {
        throw SyncError(
          .usage, "\(Excerpt.of(url)) is not an address", hint: "give one such as https://api.example.org/products")
      }
      guard parts.scheme == "https" || Origin.isLoopback(url) else {
        throw SyncError(.usage, "\(Excerpt.of(url)) sends the request without encryption", hint: "use https")
      }
      var request = UpstreamRequest(url: url)
      let token = ProcessInfo.processInfo.environment["SYNCCTL_DRAFT_TOKEN"]
      if let token { request.additions.headers["Authorization"] = "Bearer \(token)" }
      let response = try await Inquiry.response(to: request)
      guard response.status == 200 else { throw RestAnswer.error(response, to: request) }
      let label = host.split(separator: ".").last {
        !["com", "org", "net", "io", "co", "dev", "app", "api", "moe"].contains($0)
      }
      let id = Self.identifier(name ?? label.map(String.init) ?? "source")
      let draft = try DeclarationDraft(id, parts, response, hasToken: token != nil)
      try StandardStreams().print(rendered: draft.text)
    }

    /// A name for a source or a resource.
    static func identifier(_ text: String) -> String {
      let plain = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      let name = String(plain.drop { !$0.isLetter }.prefix(31))
      return name.isEmpty || DeclaredName.reserved.contains(name) ? String("source\(name)".prefix(31)) : name
    }
  }
}

/// A declaration from an answer.
struct DeclarationDraft {
  private let id: String
  private let address: URLComponents
  private let response: UpstreamResponse
  private let hasToken: Bool
  private let body: JSONMember
  private let selector: [String]
  private let items: [[String: Any]]

  init(_ id: String, _ address: URLComponents, _ response: UpstreamResponse, hasToken: Bool) throws(SyncError) {
    (self.id, self.address, self.response, self.hasToken) = (id, address, response, hasToken)
    let data = Data(response.body)
    guard let json = try? JSONSerialization.jsonObject(with: data) else {
      throw SyncError(
        .upstream, "the answer is not JSON: \(Excerpt.of(response.body))", hint: "give the address of an API")
    }
    body = (try? JSONDecoder().decode(JSONMember.self, from: data)) ?? .null
    guard let found = Self.lists(in: json, at: []).max(by: { $0.items.count < $1.items.count }) else {
      throw SyncError(.upstream, "the answer has no list of objects", hint: "give the address of a list's first page")
    }
    (selector, items) = (found.path, found.items)
  }

  private static func lists(in value: Any, at path: [String]) -> [(path: [String], items: [[String: Any]])] {
    if let list = value as? [[String: Any]], !list.isEmpty { return [(path, list)] }
    guard let object = value as? [String: Any], path.count < 3 else { return [] }
    return object.sorted { $0.key < $1.key }.flatMap { lists(in: $1, at: path + [$0]) }
  }

  var text: String {
    let segments = address.path.split(separator: "/").map(String.init)
    var base = address
    (base.path, base.query, base.fragment) = ("/" + segments.dropLast().joined(separator: "/"), nil, nil)
    let (key, isSure) = key
    let resource = SourceCommand.Draft.identifier(segments.last ?? "items")
    let paginator = paginator
    let parameters = (address.queryItems ?? []).filter { !paginator.uses.contains($0.name) }
    var lines = [
      "# A draft from one answer of \(base.string ?? ""). Check it: syncctl source check \(id).yaml",
      "# Then name it in syncctl.yaml:  sources: { \(id): { type: rest_api, file: \(id).yaml } }",
      "type: rest_api",
      limits, "client:", "  base_url: \((base.string ?? "").trimmedSlash.yaml)",
      hasToken
        ? "  auth: { type: bearer, token: { env: \(id.uppercased())_TOKEN } }"
        : "  # auth: { type: bearer, token: { env: \(id.uppercased())_TOKEN } }",
      "resources:", "  - name: \(resource)",
      "    primary_key: \(key)" + (isSure ? "" : "  # a guess: no member is surely the key"),
      "    endpoint:", "      path: \((segments.last ?? "").yaml)",
    ]
    if !parameters.isEmpty {
      lines.append(
        "      params: { \(parameters.map { "\($0.name.yaml): \(($0.value ?? "").yaml)" }.joined(separator: ", ")) }")
    }
    if !selector.isEmpty { lines.append("      data_selector: \(selector.joined(separator: ".").yaml)") }
    lines.append("      paginator: \(paginator.text)")
    if let total { lines.append("    total_path: \(total)  # checked by the certificate") }
    lines.append(
      "    # lookup: \(segments.last ?? resource)/{\(key)}  # an item's own address; without it nothing vanishes")
    lines.append("    # order: key  # if the service sorts by the ascending key")
    lines.append("    columns:")
    lines += columns(key)
    if let validators = response.validators {
      lines.append(
        "# The service sends \(validators.etag != nil ? "ETag" : "Last-Modified"), so unchanged pages cost no body.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var limits: String {
    let sent = response.headers.filter { $0.key.contains("ratelimit-limit") || $0.key == "ratelimit" }.sorted {
      $0.key < $1.key
    }
    let remark =
      sent.isEmpty
      ? "the service states no limit"
      : sent.map { "\($0.key): \(Excerpt.of($0.value, scalars: 60))" }.joined(separator: ", ")
    return "rate_limits: [\"1/1s\"]  # \(remark)"
  }

  /// A member that each item has, with another value in each.
  private var key: (name: String, isSure: Bool) {
    let names = Set(items[0].keys).filter(DeclaredName.isColumn)
    let unique = names.filter { name in
      let values = items.map { item in (item[name] as? String) ?? (item[name] as? NSNumber).map { "\($0)" } ?? "" }
      return !values.contains("") && Set(values).count == values.count
    }
    if let name = ["id", "uuid"].first(where: unique.contains) { return (name, true) }
    if let name = unique.filter({ $0.hasSuffix("_id") || $0.hasSuffix("_uuid") }).min() { return (name, true) }
    let usual = ["key", "slug", "code", "sku", "number", "name"]
    if let name = usual.first(where: unique.contains) { return (name, true) }
    return (unique.min() ?? "id", false)
  }

  private static let nextPaths = [
    "next", "links.next", "paging.next", "pagination.next", "pagination.next_url", "meta.next", "info.next",
    "_links.next.href", "next_page", "next_page_url", "nextLink",
  ]
  private static let cursors = [
    "next_cursor": "cursor", "meta.next_cursor": "cursor", "pagination.next_cursor": "cursor", "cursors.next": "cursor",
    "response_metadata.next_cursor": "cursor", "nextPageToken": "pageToken", "next_page_token": "page_token",
    "paging.cursors.after": "after", "meta.cursor.next": "cursor",
  ]
  private static let totals = [
    "total", "count", "total_count", "totalCount", "meta.total", "meta.count", "meta.total_count", "pagination.total",
    "pagination.items.total", "info.count", "numFound", "num_found", "paging.total",
  ]
  private static let lastPages = [
    "pages", "total_pages", "totalPages", "meta.pages", "meta.total_pages", "pagination.last_visible_page",
    "info.pages", "meta.last_page",
  ]

  private func at(_ path: String) -> JSONMember? { body.at(path.split(separator: ".").map(String.init)) }

  private var total: String? { Self.totals.first { at($0)?.number != nil } }

  private var paginator: (text: String, uses: Set<String>) {
    let query = Dictionary((address.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
    if let link = response.headers["link"], LinkHeader.target(of: "next", in: link) != nil {
      return ("header_link", [])
    }
    if let path = Self.nextPaths.first(where: {
      at($0)?.text.map { $0.hasPrefix("http") || $0.hasPrefix("/") } ?? false
    }) {
      return ("{ type: json_link, next_url_path: \(path) }", [])
    }
    if let (path, parameter) = Self.cursors.sorted(by: { $0.key < $1.key }).first(where: { at($0.key)?.text != nil }) {
      return ("{ type: cursor, cursor_path: \(path), cursor_param: \(parameter) }  # cursor_param is a guess", [])
    }
    if let name = ["offset", "skip", "start"].first(where: { query[$0] != nil }) {
      let limit = ["limit", "take", "rows", "count"].first { query[$0] != nil }
      let size = limit.flatMap { query[$0] } ?? "\(items.count)"
      return (
        "{ type: offset, offset_param: \(name), limit_param: \(limit ?? "limit"), limit: \(size) }",
        Set([name, limit ?? "limit"])
      )
    }
    let last = Self.lastPages.first { at($0)?.number != nil }
    guard query["page"] != nil || last != nil || total.flatMap({ at($0)?.number }).map({ $0 > items.count }) ?? false
    else {
      return ("single_page  # no sign of another page", [])
    }
    return (
      "{ type: page_number, page_param: page, base_page: \(query["page"] == "0" ? 0 : 1)\(last.map { ", total_path: \($0)" } ?? "") }",
      ["page"]
    )
  }

  private func columns(_ key: String) -> [String] {
    let names = Set(items.prefix(20).flatMap(\.keys)).sorted()
    let found = names.compactMap { name -> String? in
      let values = items.prefix(20).compactMap { $0[name] }.filter { !($0 is NSNull) }
      guard let type = Self.type(of: values) else { return nil }
      if DeclaredName.isColumn(name) { return "      \(name): \(type)" }
      let column = SourceCommand.Draft.identifier(
        name.replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1)_\($0.output.2)" })
      guard !names.contains(column), !name.contains("."), DeclaredName.isColumn(column) else { return nil }
      return "      \(column): { path: \(name.yaml), type: \"\(type)\" }"
    }
    return found.isEmpty
      ? ["      \(key): text"]
      : found.map { $0.hasSuffix("[]") ? $0.replacing(/: (\S+\[\])$/) { ": \"\($0.output.1)\"" } : $0 }
  }

  private static func type(of values: [Any]) -> String? {
    guard let first = values.first else { return nil }
    if let lists = values as? [[Any]] {
      let elements = lists.flatMap(\.self).filter { !($0 is NSNull) }
      return elements.isEmpty ? nil : type(of: elements).flatMap { $0.hasSuffix("[]") ? nil : "\($0)[]" }
    }
    let data = values.compactMap { try? JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed) }
    guard data.count == values.count, !(first is [String: Any]) else { return nil }
    let types: [ColumnType.Base] =
      first is String ? [.uuid, .date, .timestamptz, .text] : [.boolean, .bigint, .numeric]
    return types.first { base in
      data.allSatisfy { json in
        let isDay = base != .date || json.count == 12
        return isDay && ColumnType(base).fits(Array(json)[...])
      }
    }?.rawValue
  }
}

extension String {
  fileprivate var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }

  /// The text as a YAML scalar.
  fileprivate var yaml: String {
    let isPlain = wholeMatch(of: /[A-Za-z\/][A-Za-z0-9_.\/-]*|[0-9]+/) != nil
    return isPlain ? self : "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
