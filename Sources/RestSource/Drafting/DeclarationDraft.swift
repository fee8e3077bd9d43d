import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import Yams

/// How the draft's list is paged.
struct DraftedPaginator: Equatable {
  /// The YAML of the paginator.
  let yaml: String
  /// Typed parameters that the paginator sends itself.
  var replaced: Set<String> = []

  static let single = DraftedPaginator(yaml: "single_page")
}

/// A declaration of one list, written from its answers.
struct DeclarationDraft {
  let id: String
  let page: DraftPage
  let key: DraftedKey
  let credentials: DraftCredentials
  private let base: String
  private let path: String
  /// The typed parameters without secrets.
  let parameters: [(name: String, value: String)]

  /// - Parameters:
  ///   - address: The typed address.
  ///   - page: The answer to it.
  init(_ id: String, _ address: URLComponents, _ page: DraftPage, _ credentials: DraftCredentials) {
    self.id = id
    self.page = page
    self.credentials = credentials
    key = DraftedKey(of: page.items)
    let segments = address.path.split(separator: "/").map(String.init)
    var base = address
    base.path = "/" + segments.dropLast().joined(separator: "/")
    base.query = nil
    base.fragment = nil
    let text = base.string ?? ""
    self.base = text.hasSuffix("/") ? String(text.dropLast()) : text
    // Django and others redirect if the final slash is missing.
    path = (segments.last ?? "") + (address.path.hasSuffix("/") && !segments.isEmpty ? "/" : "")
    // In a query, a plus sign stands for a blank (HTML's form encoding), and URLComponents does not decode it.
    var decoded = address
    decoded.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%20")
    parameters = (decoded.queryItems ?? []).map { ($0.name, $0.value ?? "") }
      .filter { !DraftCredentials.isSecretParameter($0.0) }
  }

  private var resource: String {
    SourceCommand.Draft.identifier(path.split(separator: "/").last.map(String.init) ?? "items")
  }

  /// The stream that the declaration with this paginator would walk. Trials use its requests, so that what is written
  /// is what was tried.
  func stream(_ paginator: DraftedPaginator) throws -> RestStream {
    let lines =
      head(paginator, key: "syncctl_draft") + ["      paginator: \(paginator.yaml)"]
    let node = try Yams.compose(yaml: lines.joined(separator: "\n"))
    guard let node else { throw SyncError(.configuration, "an empty declaration", hint: "give another address") }
    let top = DeclarationPart(file: "draft", path: id, node: node)
    let declaration = try DeclarationReader(id: SourceID(rawValue: id), top: top).declaration()
    return RestStream(declaration.resources[0], of: declaration, additions: credentials.additions)
  }

  private func head(_ paginator: DraftedPaginator, key: String) -> [String] {
    var lines = ["client:", "  base_url: \(base.yaml)"]
    lines += credentials.lines.map { "  \($0)" }
    lines += ["resources:", "  - name: \(resource)", "    primary_key: \(key)"]
    lines += ["    endpoint:", "      path: \(path.yaml)"]
    var pairs = parameters.filter { !paginator.replaced.contains($0.name) }.map { "\($0.name.yaml): \($0.value.yaml)" }
    pairs += credentials.parameters.map { "\($0.name.yaml): { env: \($0.variable) }" }
    if !pairs.isEmpty { lines.append("      params: { \(pairs.joined(separator: ", ")) }") }
    if !page.selector.isEmpty { lines.append("      data_selector: \(page.selector.yamlPath)") }
    return lines
  }

  /// The commented declaration.
  func text(_ search: PaginatorSearch, _ finding: PaginatorSearch.Finding) -> String {
    let (paginator, paging) = Self.paging(finding)
    let (keyText, keyRemarks) = keyLines
    var lines = [
      "# A draft from the answers of \(base). Check it: syncctl source check \(id).yaml",
      "# Then name it in syncctl.yaml:  sources: { \(id): { type: rest_api, file: \(id).yaml } }",
    ]
    for variable in credentials.typedVariables {
      lines.append("# Set the variable \(variable) to the key of the typed address before check and run.")
    }
    lines += search.requests.map { "# Requested: \($0)" }
    lines += ["type: rest_api", limits]
    for line in head(paginator, key: keyText) {
      if line.hasPrefix("    primary_key:") { lines += keyRemarks.map { "    # \($0)" } }
      lines.append(line)
      if line.hasPrefix("  base_url:"), credentials.isEmpty {
        lines.append("  # auth: { type: bearer, token: { env: \(id.uppercased())_TOKEN } }")
      }
    }
    lines += paging.map { "      \($0)" }
    if let total = search.total { lines.append("    total_path: \(total.yamlPath)  # checked by the certificate") }
    if hasSureKey {
      let item = path.hasSuffix("/") ? path + "{\(keyText)}/" : "\(path)/{\(keyText)}"
      lines.append("    # lookup: \(item)  # an item's own address; without it nothing vanishes")
    }
    lines.append("    # order: key  # if the service sorts by the ascending key")
    lines.append("    columns:")
    lines += columns(keyText)
    if let validators = page.response.validators {
      let name = validators.etag != nil ? "ETag" : "Last-Modified"
      lines.append("# The service sends \(name), so unchanged pages cost no body.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func paging(_ finding: PaginatorSearch.Finding) -> (DraftedPaginator, [String]) {
    switch finding {
    case .paginator(let paginator): return (paginator, ["paginator: \(paginator.yaml)"])
    case .single(let remark): return (.single, ["paginator: single_page  # \(remark)"])
    case .question(let reason, let answers):
      let question = "# QUESTION: how do the pages follow each other? \(reason)."
      let request = "# Write the line that fits the service's documentation:"
      let choices = answers.map { "#   paginator: \($0)" }
      return (.single, [question, request] + choices + [#"paginator: "?""#])
    }
  }

  private var limits: String {
    let sent = page.response.headers.filter { $0.key.contains("ratelimit-limit") || $0.key == "ratelimit" }.sorted {
      $0.key < $1.key
    }
    let remark =
      sent.isEmpty
      ? "the service states no limit"
      : sent.map { "\($0.key): \(Excerpt.of($0.value, scalars: 60))" }.joined(separator: ", ")
    return "rate_limits: [\"1/1s\"]  # \(remark)"
  }

  /// Whether `primary_key` is a finding, not a question.
  var hasSureKey: Bool { keyLines.text != #""\(DeclarationPart.question)""# }

  /// The value of `primary_key`, and the remarks above it.
  private var keyLines: (text: String, remarks: [String]) {
    switch key {
    case .sure(let path) where Self.canBeKey(path): return (path.joined(separator: ".").yaml, [])
    case .sure(let path):
      return (
        #""?""#,
        [
          "QUESTION: which member identifies an item? \(path.joined(separator: ".")) does, but it cannot be a column. Write",
          "  columns: { its_name: { path: \(path.joined(separator: ".")), type: text } }, and primary_key: its_name",
        ]
      )
    case .guess(let path):
      return (
        #""?""#,
        [
          "QUESTION: which members identify an item? No name says it. On this page, each item has another value of",
          "  primary_key: \(path.joined(separator: "."))",
        ]
      )
    case .unknown: return (#""?""#, ["QUESTION: which members identify an item? No member differs in each item."])
    }
  }

  private static func canBeKey(_ path: [String]) -> Bool {
    DeclaredName.isColumn(DeclaredName.column(of: path)) && !path.contains { $0.contains(".") }
  }

  /// The column of a key below another member of the item. Its type is not `bigint` if its values are texts.
  private var nestedKeyColumn: String? {
    guard case .sure(let path) = key, path.count > 1, Self.canBeKey(path) else { return nil }
    let values = page.items.prefix(20).compactMap { item in
      path.reduce(item as Any?) { value, name in (value as? [String: Any])?[name] }
    }
    return Self.type(of: values).map { type in
      "      \(DeclaredName.column(of: path)): { path: \(path.joined(separator: ".").yaml), type: \(type) }"
    }
  }

  private func columns(_ key: String) -> [String] {
    let items = page.items.prefix(20)
    let names = Set(items.flatMap(\.keys)).sorted()
    var found = names.compactMap { name -> String? in
      let values = items.compactMap { $0[name] }.filter { !($0 is NSNull) }
      guard let type = Self.type(of: values) else { return nil }
      let yaml = type.hasSuffix("[]") ? "\"\(type)\"" : type
      if DeclaredName.isColumn(name) { return "      \(name): \(yaml)" }
      let column = DeclaredName.column(of: [name])
      guard !names.contains(column), !name.contains("."), DeclaredName.isColumn(column) else { return nil }
      return "      \(column): { path: \(name.yaml), type: \"\(type)\" }"
    }
    if let nested = nestedKeyColumn { found.append(nested) }
    return found.isEmpty ? ["      \(key.hasPrefix("\"") ? "title" : key): text"] : found
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
  /// The text as a YAML scalar.
  var yaml: String {
    let isPlain = wholeMatch(of: /[A-Za-z\/][A-Za-z0-9_.\/-]*|[0-9]+/) != nil
    let isWord = ["true", "false", "yes", "no", "on", "off", "null"].contains(lowercased())
    return isPlain && !isWord ? self : "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

extension [String] {
  /// The path of a member in YAML: `meta.total`, or a list if a name has a dot or another sign of paths.
  var yamlPath: String {
    let isPlain = allSatisfy { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil }
    return isPlain ? joined(separator: ".").yaml : "[\(map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}
