import JSONScan
import SyncCore
import SyncProgram
import Yams

/// Reads a paginator. Its keys and defaults are those of dlt 1.x.
struct PaginatorReader {
  private let part: DeclarationPart
  private let type: String
  private let selector: [JSONScan.Step]
  private let limits: [(name: String, value: Int)]
  private let hasBody: Bool

  /// Parameters that usually have the number of items in a page.
  static let limitNames: Set<String> = [
    "per_page", "limit", "page_size", "pagesize", "pageSize", "size", "count", "take", "rows", "max_results",
    "maxResults", "page[size]", "page[limit]", "results_per_page", "perPage", "per-page", "items_per_page",
  ]

  /// - Parameters:
  ///   - selector: The path of the resource's items.
  ///   - limits: The resource's parameters that are whole numbers.
  ///   - hasBody: Whether the requests have a body.
  init(
    _ part: DeclarationPart, selector: [JSONScan.Step], limits: [(name: String, value: Int)], hasBody: Bool
  ) throws(SyncError) {
    self.part = part
    self.selector = selector
    self.limits = limits
    self.hasBody = hasBody
    guard let node = part.node.scalar == nil ? part.node.mapping?["type"] : part.node else {
      throw part.fault("has no type", hint: Self.hint)
    }
    type = try DeclarationPart(file: part.file, path: part.path, node: node).text("page_number")
  }

  private static let hint =
    "write paginator: { type: page_number }, or another of page_number, offset, json_link, header_link, cursor, single_page"

  private func members(_ known: [String], others: [String: String] = [:]) throws(SyncError) -> [String: DeclarationPart]
  {
    // In dlt, null removes a default, as in total_path: null.
    part.node.scalar != nil ? [:] : try part.members(["type"] + known, others: others).filter { !$0.value.isNull }
  }

  func paginator() throws(SyncError) -> (Declaration.Paginator, Declaration.ChainRules) {
    switch type {
    case DeclarationPart.question:
      throw part.unanswered(
        hint: "write one of the paginators in the comment above it, as the service's documentation says")
    case "page_number":
      return (.pageNumber(try numbered("page")), Declaration.ChainRules())
    case "offset":
      return (.offset(try numbered("offset")), Declaration.ChainRules())
    case "json_link", "json_response":
      let members = try members(["next_url_path", "next_link"] + Self.chainKeys)
      return (.jsonLink(next: try members["next_url_path"]?.memberPath() ?? ["next"]), try chainRules(members))
    case "header_link":
      let members = try members(["links_next_key", "next_link"] + Self.chainKeys)
      let relation = try members["links_next_key"]?.text("next") ?? "next"
      return (.headerLink(relation: relation), try chainRules(members))
    case "cursor":
      let members = try members(
        ["cursor_path", "cursor_param", "cursor_body_path"] + Self.chainKeys)
      let place = try place("cursor", of: members) ?? .parameter("cursor")
      if let given = members["cursor_path"], let path = try memberOfLastItem(given) {
        return (.lastItem(path: path, place: place), try chainRules(members))
      }
      let path = try members["cursor_path"]?.memberPath() ?? ["cursors", "next"]
      return (.cursor(path: path, place: place), try chainRules(members))
    case "single_page":
      _ = try members([])
      return (.single, Declaration.ChainRules())
    case "header_cursor":
      throw part.fault(
        "is header_cursor, which is not supported", hint: "use header_link if the service sends a Link header")
    default: throw part.fault("has an unknown type \(Excerpt.of(type, scalars: 40))", hint: Self.hint)
    }
  }

  /// The place that `NAME_param` or `NAME_body_path` declares. In dlt, a body path wins over a parameter.
  private func place(
    _ name: String, of members: [String: DeclarationPart]
  ) throws(SyncError) -> Declaration.Paginator.Place? {
    if let given = members["\(name)_body_path"] {
      guard hasBody else {
        throw given.fault("needs a body", hint: "write method: POST, idempotent: true and json in the endpoint")
      }
      return .body(try given.memberPath())
    }
    return try members["\(name)_param"].map { (given) throws(SyncError) in .parameter(try given.text(name)) }
  }

  /// The path below the last item of a `cursor_path` such as `data[-1].id`; `nil` for a path of the page.
  private func memberOfLastItem(_ given: DeclarationPart) throws(SyncError) -> [String]? {
    guard let text = given.node.scalar?.string, let last = text.firstRange(of: "[-1].") else { return nil }
    func part(_ text: Substring) -> DeclarationPart { given.below("", Node(String(text))) }
    let list = text[..<last.lowerBound]
    let steps = try list.isEmpty ? [] : part(list).selector()
    guard steps == selector else {
      throw given.fault(
        "takes the last element of another list than data_selector",
        hint:
          "write cursor_path: \"\(JSONScan.Step.text(selector))[-1].id\"")
    }
    return try part(text[last.upperBound...]).memberPath()
  }

  private static let chainKeys = ["has_more_path", "cursor"]

  private func chainRules(_ members: [String: DeclarationPart]) throws(SyncError) -> Declaration.ChainRules {
    var rules = Declaration.ChainRules()
    rules.hasMore = try members["has_more_path"]?.memberPath()
    rules.keepsOrigin = try members["next_link"].map(keepsOrigin) ?? false
    guard let cursor = members["cursor"] else { return rules }
    guard try cursor.text("by_key") == "by_key" else {
      throw cursor.fault(
        "is not by_key",
        hint: "write cursor: by_key if each page continues after the last item's key, or remove it")
    }
    rules.isByKey = true
    return rules
  }

  /// Reads `next_link`, which only the paginators of links can have.
  private func keepsOrigin(_ given: DeclarationPart) throws(SyncError) -> Bool {
    let hint = "write next_link: { keep: path }, or remove it"
    let members = try given.members(["keep"])
    guard try given.required("keep", of: members, hint: hint).text("path") == "path" else {
      throw given.fault("does not keep the path", hint: hint)
    }
    return true
  }

  /// - Parameter name: The parameter's default name, and the key with the number of the first page or item.
  private func numbered(_ name: String) throws(SyncError) -> Declaration.Paginator.Numbered {
    let isOffset = type == "offset"
    let members = try members(
      [
        "\(name)_param", "\(name)_body_path", "limit", "limit_param", "limit_body_path", "base_\(name)", name,
        "total_path", "has_more_path",
        "stop_after_empty_page",
      ],
      others: [
        "maximum_\(name)": "a walk reads to the end of the list; syncctl run --max-pages N limits a run",
        "has_more_header": "use has_more_path", "initial_offset": "use offset", "initial_page": "use base_page",
      ])
    if let stop = members["stop_after_empty_page"], try !stop.flag() {
      throw stop.fault("is false", hint: "remove it: an empty page near the claimed end ends the list")
    }
    let usual = isOffset ? "limit" : limits.first { Self.limitNames.contains($0.name) }?.name
    let limitPlace = try place("limit", of: members) ?? usual.map { .parameter($0) }
    let limit =
      try members["limit"]?.number(1...Limits.itemsPerPage)
      ?? limits.first { .parameter($0.name) == limitPlace }?.value
    if isOffset, limit == nil {
      throw part.fault("has no limit", hint: "write limit: 100, the number of items in a page")
    }
    let base = try (members["base_\(name)"] ?? members[name])?.number(0...1_000_000) ?? 0
    return Declaration.Paginator.Numbered(
      place: try place(name, of: members) ?? .parameter(name), base: base,
      limitPlace: limit == nil ? nil : limitPlace, limit: limit,
      total: try members["total_path"]?.memberPath(), hasMore: try members["has_more_path"]?.memberPath())
  }
}
