import Foundation
import SyncCore
import SyncProgram

/// Finds how the pages of a list follow each other. A paginator is a finding only if a second page was requested with
/// it and has other items. Otherwise the draft contains a question.
struct PaginatorSearch {
  /// The result of a search.
  enum Finding: Equatable {
    case paginator(DraftedPaginator)
    /// Nothing shows another page.
    case single(remark: String)
    /// The list goes on, or can go on, and no tried request returned its next page.
    case question(reason: String, answers: [String])
  }

  /// Requests an address of the service. It throws if the service must not be asked again, as after a 429.
  typealias Fetch = (UpstreamRequest) async throws -> UpstreamResponse

  let draft: DeclarationDraft
  private let fetch: Fetch
  let first: DraftPage
  /// The keys of the items of the first page.
  let identities: [String]
  var signs: PageSigns { first.signs }
  /// The requests after the first one, each with what it returned.
  private(set) var requests: [String] = []
  /// A warning for the user: the draft is likely right, but nothing proves it.
  private(set) var warning: String?
  /// The page that confirmed the finding.
  var confirmation: DraftPage?
  /// The answers of the service by address. An answer that is not a page of the list is `nil`.
  private var answers: [String: DraftPage?] = [:]
  /// Reasons why a sign did not become a finding.
  var refusals: [String] = []

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

  /// Requests pages until one confirms a paginator, or no sign is left.
  mutating func find() async throws -> Finding {
    if let paginator = try await chainPaginator() { return .paginator(paginator) }
    let furtherPages = signs.furtherPages(after: first.items.count)
    if let paginator = try await numberedPaginator(furtherPages) { return .paginator(paginator) }
    return unconfirmed(furtherPages)
  }

  /// Returns the finding of a search without a confirmed paginator.
  /// - Parameter furtherPages: The signs of the first page that the list has further pages.
  private mutating func unconfirmed(_ furtherPages: [String]) -> Finding {
    if !furtherPages.isEmpty {
      return question("The answer has \(furtherPages.prefix(3).joined(separator: ", "))")
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

  /// Returns a question with the likely answers.
  /// - Parameter reason: Why the pages of the list stay unknown. The first refusals of the service follow it.
  private func question(_ reason: String) -> Finding {
    .question(reason: ([reason] + refusals.prefix(2)).joined(separator: ". "), answers: likelyAnswers)
  }

  /// The typed parameter that seems to be the size of the page: a limit that the page reaches, or any parameter with
  /// the number of items.
  var typedSize: TypedNumber? {
    let count = first.items.count
    if let limit = typedLimit, limit.value <= count { return limit }
    let parameter = draft.parameters.first { count > 1 && Int($0.value) == count }
    return parameter.map { TypedNumber(name: $0.name, value: count) }
  }

  /// Whether the number of items is a usual page size.
  var isFull: Bool {
    let usual: Set<Int> = [10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 96, 99]
    let count = first.items.count
    return usual.contains(count) || count >= 100 && count % 50 == 0
  }

  /// The paginators that the signs of the first page suggest, the likeliest first.
  private var likelyAnswers: [String] {
    let more = signs.moreFlags.first.map { ", has_more_path: \($0.path.yamlPath)" } ?? ""
    let cursor = signs.cursors.first?.path.yamlPath ?? "next_cursor"
    let names = signs.cursors.first.map { UsualParameters.names(for: $0) } ?? ["cursor"]
    let cursors = "{ type: cursor, cursor_path: \(cursor), cursor_param: \(names[0].yaml) }"

    let limit = typedLimit
    let numbered = [
      "{ type: page_number, page_param: page, base_page: 1\(more) }",
      "{ type: offset, offset_param: offset, limit_param: \((limit?.name ?? "limit").yaml), limit: \(limit?.value ?? max(first.items.count, 1))\(more) }",
    ]

    let links = signs.links.map { "{ type: json_link, next_url_path: \($0.path.yamlPath) }" }
    let header = signs.hasLinkHeader ? ["header_link"] : []
    return header + links + (signs.cursors.isEmpty ? numbered + [cursors] : [cursors] + numbered)
      + ["single_page  # if the service has no other page"]
  }

  // MARK: Requests

  /// Requests a page with the drafted paginator; `nil` if the answer is not a page of the list.
  mutating func page(_ paginator: DraftedPaginator, _ address: PageAddress) async throws -> DraftPage? {
    try await page(at: draft.stream(paginator).request(address))
  }

  /// Requests an address. Returns `nil` if the answer is not a page of the list, or after too many requests.
  mutating func page(at request: UpstreamRequest) async throws -> DraftPage? {
    if let earlier = answers[request.url] { return earlier }
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
  func isOther(_ page: DraftPage) -> Bool { isOther(page, than: identities) }

  /// Whether the page has items, and fewer than half of its keys are among the others.
  func isOther(_ page: DraftPage, than others: [String]) -> Bool {
    let keys = page.identities(by: draft.key.path)
    let repeated = keys.count { Set(others).contains($0) }
    return !keys.isEmpty && repeated * 2 < keys.count
  }
}
