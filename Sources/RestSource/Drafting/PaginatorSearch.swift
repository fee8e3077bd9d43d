import Foundation
import SyncCore
import SyncProgram

/// Finds how the pages of a list follow each other. A paginator is a finding only if a second page was requested with
/// it and has other items. Otherwise the draft contains a question.
struct PaginatorSearch {
  enum Finding: Equatable {
    case paginator(DraftedPaginator)
    /// Nothing shows another page.
    case single(remark: String)
    /// The list goes on, or can go on, and no tried request returned its next page.
    case question(reason: String, answers: [String])
  }

  /// Requests an address of the service. It throws if the service must not be asked again, as after a 429.
  typealias Fetch = (UpstreamRequest) async throws -> UpstreamResponse

  private let draft: DeclarationDraft
  private let fetch: Fetch
  private let first: DraftPage
  private let identities: [String]
  private var signs: PageSigns { first.signs }
  /// The requests after the first one, each with what it returned.
  private(set) var requests: [String] = []
  /// A warning for the user: the draft is likely right, but nothing proves it.
  private(set) var warning: String?
  /// The page that confirmed the finding.
  private var confirmation: DraftPage?
  private var answers: [String: DraftPage?] = [:]
  /// Reasons why a sign did not become a finding.
  private var refusals: [String] = []

  /// A list is not worth more requests: a wrong guess costs a question, not an item.
  private static let maxRequests = 12

  init(_ draft: DeclarationDraft, fetch: @escaping Fetch) {
    self.draft = draft
    self.fetch = fetch
    first = draft.page
    identities = draft.page.identities(by: draft.key.path)
  }

  /// The path of the claimed number of items, if the next page claims the same.
  var total: [String]? {
    guard let total = first.total else {
      return confirmation == nil ? signs.totals.first { $0.value == first.items.count }?.path : nil
    }
    guard let confirmation else { return total.path }
    return confirmation.signs.totals.contains(total) ? total.path : nil
  }

  mutating func find() async throws -> Finding {
    let shown = signs.furtherPages(after: first.items.count)
    if signs.hasLinkHeader, try await follows(DraftedPaginator(yaml: "header_link")) {
      return .paginator(DraftedPaginator(yaml: "header_link"))
    }
    for link in signs.links {
      let paginator = DraftedPaginator(yaml: "{ type: json_link, next_url_path: \(link.path.yamlPath) }")
      if try await follows(paginator) { return .paginator(paginator) }
    }
    for cursor in signs.cursors {
      if let paginator = try await cursorPaginator(cursor) { return .paginator(paginator) }
    }
    if let paginator = try await numberedPaginator(shown) { return .paginator(paginator) }
    if !shown.isEmpty {
      return question("The answer has \(shown.prefix(3).joined(separator: ", "))")
    }
    if signs.moreFlags.contains(where: { !$0.value }) || signs.lastFlags.contains(where: \.value) {
      return .single(remark: "the answer says that no page follows")
    }
    if let size = typedSize {
      return question("The page has as many items as \(size.name) requests, and nothing says whether the list goes on")
    }
    if isFull {
      warning =
        "the list has \(HumanFormat.counted(first.items.count, "item")), which looks like a full page, but nothing names another page; look into the service's documentation before you rely on paginator: single_page"
      return .single(remark: "no sign of another page, but \(first.items.count) items look like a full page")
    }
    return .single(remark: "no sign of another page")
  }

  /// - Parameter reason: Why the pages of the list stay unknown. The first refusals of the service follow it.
  private func question(_ reason: String) -> Finding {
    .question(reason: ([reason] + refusals.prefix(2)).joined(separator: ". "), answers: likelyAnswers)
  }

  /// The typed parameter that seems to be the size of the page: a limit that the page reaches, or any parameter with
  /// the number of items.
  private var typedSize: TypedNumber? {
    let count = first.items.count
    if let limit = typedLimit, limit.value <= count { return limit }
    let equal = draft.parameters.first { count > 1 && Int($0.value) == count }
    return equal.map { TypedNumber(name: $0.name, value: count) }
  }

  /// Whether the number of items is a usual page size.
  private var isFull: Bool {
    let usual: Set<Int> = [10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 96, 99]
    let count = first.items.count
    return usual.contains(count) || count >= 100 && count % 50 == 0
  }

  // MARK: Requests

  /// Requests a page with the drafted paginator; `nil` if the answer is not a page of the list.
  private mutating func page(_ paginator: DraftedPaginator, _ address: PageAddress) async throws -> DraftPage? {
    try await page(at: draft.stream(paginator).request(address))
  }

  private mutating func page(at request: UpstreamRequest) async throws -> DraftPage? {
    if let cached = answers[request.url] { return cached }
    guard requests.count < Self.maxRequests else { return nil }
    let response = try await fetch(request)
    let page = DraftPage(response, at: first.selector)
    answers[request.url] = page
    let content =
      page.map { isOther($0) ? "other items" : $0.items.isEmpty ? "an empty list" : "the same items" }
      ?? "no such list (status \(response.status))"
    requests.append("\(Excerpt.of(request.url)): \(content)")
    return page
  }

  /// Whether the page has items, and its items are not those of the first answer.
  private func isOther(_ page: DraftPage) -> Bool { isOther(page, than: identities) }

  private func isOther(_ page: DraftPage, than others: [String]) -> Bool {
    let found = page.identities(by: draft.key.path)
    let repeated = found.count { Set(others).contains($0) }
    return !found.isEmpty && repeated * 2 < found.count
  }

  // MARK: Chains

  /// Whether the next page that the first answer names is a page of the list.
  private mutating func follows(_ paginator: DraftedPaginator) async throws -> Bool {
    let stream = try draft.stream(paginator)
    let start = stream.request(PageAddress(page: 1, size: stream.description.pageSize))
    let next: String?
    do {
      next = try stream.read(first.response, to: start).claim.next
    } catch let error as SyncError {
      refusals.append(error.message)
      return false
    }
    guard let next else { return false }
    let page = try await page(at: stream.request(PageAddress(page: 2, size: stream.description.pageSize, next: next)))
    guard let page, page.items.isEmpty || isOther(page) else { return false }
    confirmation = page
    return true
  }

  private mutating func cursorPaginator(_ cursor: PageSigns.Sign<String>) async throws -> DraftedPaginator? {
    let typed = draft.parameters.map(\.name).filter { Self.isCursor($0) }
    var names = typed
    for name in Self.parameters(for: cursor) where !names.contains(name) { names.append(name) }
    for name in names.prefix(5) {
      // The first request keeps a typed cursor such as `*`. Later requests replace its value.
      let paginator = DraftedPaginator(
        yaml: "{ type: cursor, cursor_path: \(cursor.path.yamlPath), cursor_param: \(name.yaml) }")
      if try await follows(paginator) { return paginator }
    }
    refusals.append("No usual parameter accepts \(cursor.path.joined(separator: "."))")
    return nil
  }

  private static func isCursor(_ name: String) -> Bool {
    let word = PageSigns.word(name)
    return ["cursor", "after", "token", "continuation", "bookmark", "scroll"].contains { word.contains($0) }
  }

  /// The parameters that services use for a cursor with this member's name, the likeliest first.
  private static func parameters(for cursor: PageSigns.Sign<String>) -> [String] {
    let member = cursor.path.last ?? ""
    let word = PageSigns.word(member)
    let general = ["cursor", "after", "start_cursor", "page_token", "pageToken", "next", "token"]
    if word.hasPrefix("next"), word.count > 4 {
      // `nextPageToken` is sent as `pageToken`, `next_cursor` as `cursor`.
      let rest = String(member.drop { $0 != "n" && $0 != "N" }.dropFirst(4).drop { !$0.isLetter })
      let own = rest.prefix(1).lowercased() + rest.dropFirst()
      return [own] + (own.contains("ursor") ? ["cursor", "start_cursor", "after"] : []) + [member] + general
    }
    if word.contains("after") || word == "endcursor" { return ["after", "page[after]", "cursor", "starting_after"] }
    if word == "next" { return ["cursor", "next", "after", "start", "page"] }
    return [member] + general
  }

  // MARK: Numbered pages

  private struct TypedNumber {
    let name: String
    let value: Int
  }

  private func typed(_ words: Set<String>) -> TypedNumber? {
    for (name, value) in draft.parameters where words.contains(PageSigns.word(name)) {
      if let number = Int(value), number >= 0 { return TypedNumber(name: name, value: number) }
    }
    return nil
  }

  private static let pageWords: Set<String> = [
    "page", "p", "pg", "pagenumber", "pagenum", "pageno", "pageindex", "currentpage", "paged",
  ]
  private static let offsetWords: Set<String> = [
    "offset", "skip", "start", "from", "startindex", "startat", "resultoffset", "startposition", "pageoffset",
  ]
  private static let limitWords: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "take", "top", "rows", "maxresults", "resultsperpage",
    "itemsperpage", "hitsperpage", "resultrecordcount", "pagelimit", "num", "max",
  ]

  private var typedLimit: TypedNumber? { typed(Self.limitWords) }

  private mutating func numberedPaginator(_ shown: [String]) async throws -> DraftedPaginator? {
    if let page = typed(Self.pageWords) { return try await pages(page.name, typed: page.value) }
    if let offset = typed(Self.offsetWords) { return try await offsets(offset.name) }
    let isFirstOfSeveral = !shown.isEmpty || !signs.pageNumbers.isEmpty || !signs.starts.isEmpty
    guard isFirstOfSeveral || isFull || typedSize != nil else { return nil }
    for name in usualNames {
      let isOffset = Self.offsetWords.contains(PageSigns.word(name))
      let found = isOffset ? try await offsets(name) : try await pages(name, typed: nil)
      if let found { return found }
    }
    return nil
  }

  /// The parameters that services with such a limit or such members use, the likeliest first.
  private var usualNames: [String] {
    var names: [String] = []
    let limit = typedLimit?.name ?? ""
    switch PageSigns.word(limit) {
    case "rows": names.append("start")
    case "limit" where limit.hasPrefix("$"): names.append("$offset")
    case "top": names.append(limit.hasPrefix("$") ? "$skip" : "skip")
    case "take": names.append("skip")
    case "resultrecordcount": names.append("resultOffset")
    case "maxresults": names.append("startAt")
    case "pagesize" where limit.contains("["): names.append("page[number]")
    case "pagelimit" where limit.contains("["): names.append("page[offset]")
    case "limit" where limit.hasPrefix("_"): names += ["_start", "_page"]
    default: break
    }
    if signs.moreFlags.contains(where: { PageSigns.word($0.path.last ?? "") == "exceededtransferlimit" }) {
      names.append("resultOffset")
    }
    if !signs.pageNumbers.isEmpty { names.append("page") }
    for start in signs.starts {
      let name = start.path.last ?? ""
      // `from` and `start` are often only positions in the answer.
      names += PageSigns.word(name) == "start" ? ["start", "offset"] : [name]
    }
    names += PageSigns.word(limit) == "limit" ? ["offset", "page", "skip"] : ["page", "offset"]
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// Tries numbered pages, and finds the number of the first page: the number of the page that the service returns for
  /// a request without a number.
  /// - Parameter typed: The number in the typed address.
  private mutating func pages(_ name: String, typed: Int?) async throws -> DraftedPaginator? {
    let replaced: Set<String> = typed == nil ? [] : [name]
    let zero = DraftedPaginator(yaml: pageYAML(name, base: 0), replaced: replaced)
    let fromOne = DraftedPaginator(yaml: pageYAML(name, base: 1), replaced: replaced)
    let size = size(of: zero)
    func numbered(_ number: Int) -> PageAddress { PageAddress(page: number + 1, size: size) }

    let unnumbered = DraftedPaginator(yaml: DraftedPaginator.single.yaml, replaced: replaced)
    let standard = typed == nil ? first : try await page(unnumbered, numbered(0)) ?? first
    let one = try await page(zero, numbered(1))
    if let one, isOther(one, than: standard.identities(by: draft.key.path)) {
      let null = try await page(zero, numbered(0))
      if let null, isOther(one, than: null.identities(by: draft.key.path)), !null.items.isEmpty {
        confirmation = one
        return zero
      }
      // Without a typed number, page 1 is neither the first page nor the page after page 0.
      guard typed != nil else { return nil }
    }
    let two = try await page(zero, numbered(2))
    if let two, isOther(two, than: (one ?? first).identities(by: draft.key.path)) {
      confirmation = two
      return fromOne
    }
    // A typed number is a page's number even if the list has only this page.
    let isAlone = two?.items.isEmpty ?? true
    return typed == 1 && isAlone && signs.furtherPages(after: first.items.count).isEmpty ? fromOne : nil
  }

  private func size(of paginator: DraftedPaginator) -> Int {
    (try? draft.stream(paginator).description.pageSize) ?? first.items.count
  }

  private func pageYAML(_ name: String, base: Int) -> String {
    var parts = ["type: page_number", "page_param: \(name.yaml)", "base_page: \(base)"]
    if let count = signs.pageCounts.first, isCount(count.value, base: base) {
      parts.append("total_path: \(count.path.yamlPath)")
    }
    if let flag = signs.moreFlags.first(where: \.value) { parts.append("has_more_path: \(flag.path.yamlPath)") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// Whether the number is the number of pages. A zero-based service can instead name its last page.
  private func isCount(_ number: Int, base: Int) -> Bool {
    guard let total = first.total?.value, !first.items.isEmpty else { return number > 1 && base == 1 }
    return number == (total + first.items.count - 1) / first.items.count
  }

  /// Tries offsets, and finds the number of the first item.
  private mutating func offsets(_ name: String) async throws -> DraftedPaginator? {
    let count = first.items.count
    guard count > 0 else { return nil }
    let limit = typedLimit
    let limitName = limit?.name ?? Self.limitName(beside: name)
    // A service can return fewer items than requested, and offsets follow from what it returns.
    let isCapped = limit.map { $0.value > count && (first.total?.value ?? 0) > count } ?? false
    let size = isCapped ? count : limit?.value ?? count
    let replaced = Set([name] + (limit.map { [$0.name] } ?? []))
    func paginator(_ base: Int) -> DraftedPaginator {
      var parts = ["type: offset", "offset_param: \(name.yaml)"]
      if base > 0 { parts.append("base_offset: \(base)") }
      parts += ["limit_param: \(limitName.yaml)", "limit: \(size)"]
      if let flag = signs.moreFlags.first(where: \.value) { parts.append("has_more_path: \(flag.path.yamlPath)") }
      return DraftedPaginator(yaml: "{ \(parts.joined(separator: ", ")) }", replaced: replaced)
    }
    let zero = paginator(0)
    guard let next = try await page(zero, PageAddress(page: 2, size: size)) else { return nil }
    let found = next.identities(by: draft.key.path)
    guard !found.isEmpty, isOther(next) else {
      let isAlone = found.isEmpty && draft.parameters.contains { $0.name == name }
      return isAlone && signs.furtherPages(after: count).isEmpty ? zero : nil
    }
    confirmation = next
    // If items are numbered from 1, the item at this offset is the last one of the first page.
    return found.first == identities.last ? paginator(1) : zero
  }

  private static func limitName(beside offset: String) -> String {
    switch PageSigns.word(offset) {
    case "start" where offset.hasPrefix("_"): "_limit"
    case "start": "rows"
    case "from": "size"
    case "skip": offset.hasPrefix("$") ? "$top" : "limit"
    case "resultoffset": "resultRecordCount"
    case "startat": "maxResults"
    case "startindex": "count"
    case "pageoffset": "page[limit]"
    default: "limit"
    }
  }

  // MARK: Questions

  private var likelyAnswers: [String] {
    let limit = typedLimit
    let more = signs.moreFlags.first.map { ", has_more_path: \($0.path.yamlPath)" } ?? ""
    let cursor = signs.cursors.first?.path.yamlPath ?? "next_cursor"
    let names = signs.cursors.first.map { Self.parameters(for: $0) } ?? ["cursor"]
    let cursors = "{ type: cursor, cursor_path: \(cursor), cursor_param: \(names[0].yaml) }"
    let numbered = [
      "{ type: page_number, page_param: page, base_page: 1\(more) }",
      "{ type: offset, offset_param: offset, limit_param: \((limit?.name ?? "limit").yaml), limit: \(limit?.value ?? max(first.items.count, 1))\(more) }",
    ]
    let links = signs.links.map { "{ type: json_link, next_url_path: \($0.path.yamlPath) }" }
    let header = signs.hasLinkHeader ? ["header_link"] : []
    let chains = header + links
    return chains + (signs.cursors.isEmpty ? numbered + [cursors] : [cursors] + numbered)
      + ["single_page  # if the service has no other page"]
  }
}
