import SyncCore

/// The search for numbers of pages and items.
extension PaginatorSearch {
  /// A parameter of the typed address with a whole number.
  struct TypedNumber {
    let name: String
    let value: Int
  }

  /// Returns the first typed number whose name has one of the words.
  private func typed(_ words: Set<String>) -> TypedNumber? {
    for (name, value) in draft.parameters where words.contains(PageSigns.word(name)) {
      if let number = Int(value), number >= 0 { return TypedNumber(name: name, value: number) }
    }
    return nil
  }

  /// The typed number of items in a page.
  var typedLimit: TypedNumber? { typed(UsualParameters.limitWords) }

  /// Returns a paginator whose number leads from the first page to another page of the list.
  /// - Parameter furtherPages: The signs of the first page that the list has further pages.
  mutating func numberedPaginator(_ furtherPages: [String]) async throws -> DraftedPaginator? {
    if let page = typed(UsualParameters.pageWords) { return try await pages(page.name, typed: page.value) }
    if let offset = typed(UsualParameters.offsetWords) { return try await offsets(offset.name) }

    let isFirstOfSeveral = !furtherPages.isEmpty || !signs.pageNumbers.isEmpty || !signs.starts.isEmpty
    guard isFirstOfSeveral || isFull || typedSize != nil else { return nil }
    for name in UsualParameters.numberNames(signs, limit: typedLimit?.name ?? "") {
      let isOffset = UsualParameters.offsetWords.contains(PageSigns.word(name))
      let paginator = isOffset ? try await offsets(name) : try await pages(name, typed: nil)
      if let paginator { return paginator }
    }
    return nil
  }

  /// Tries numbered pages, and finds the number of the first page: the number of the page that the service returns for
  /// a request without a number.
  /// - Parameter typed: The number in the typed address.
  private mutating func pages(_ name: String, typed: Int?) async throws -> DraftedPaginator? {
    let replaced: Set<String> = typed == nil ? [] : [name]
    let zeroBased = DraftedPaginator(yaml: pageYAML(name, base: 0), replaced: replaced)
    let oneBased = DraftedPaginator(yaml: pageYAML(name, base: 1), replaced: replaced)
    let size = size(of: zeroBased)
    func numbered(_ number: Int) -> PageAddress { PageAddress(page: number + 1, size: size) }

    let unnumbered = DraftedPaginator(yaml: DraftedPaginator.single.yaml, replaced: replaced)
    let standardPage = typed == nil ? first : try await page(unnumbered, numbered(0)) ?? first
    let pageOne = try await page(zeroBased, numbered(1))
    if let pageOne, isOther(pageOne, than: standardPage.identities(by: draft.key.path)) {
      let pageZero = try await page(zeroBased, numbered(0))
      if let pageZero, isOther(pageOne, than: pageZero.identities(by: draft.key.path)), !pageZero.items.isEmpty {
        confirmation = pageOne
        return zeroBased
      }
      // Without a typed number, page 1 is neither the first page nor the page after page 0.
      guard typed != nil else { return nil }
    }

    let pageTwo = try await page(zeroBased, numbered(2))
    if let pageTwo, isOther(pageTwo, than: (pageOne ?? first).identities(by: draft.key.path)) {
      confirmation = pageTwo
      return oneBased
    }
    // A typed number is a page's number even if the list has only this page.
    let isAlone = pageTwo?.items.isEmpty ?? true
    return typed == 1 && isAlone && signs.furtherPages(after: first.items.count).isEmpty ? oneBased : nil
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
    let limitName = limit?.name ?? UsualParameters.limitName(beside: name)
    // A service can return fewer items than requested, and offsets follow from what it returns.
    let isCapped = limit.map { $0.value > count && (first.total?.value ?? 0) > count } ?? false
    let size = isCapped ? count : limit?.value ?? count
    let replaced = Set([name] + (limit.map { [$0.name] } ?? []))

    func paginator(base: Int) -> DraftedPaginator {
      var parts = ["type: offset", "offset_param: \(name.yaml)"]
      if base > 0 { parts.append("base_offset: \(base)") }
      parts += ["limit_param: \(limitName.yaml)", "limit: \(size)"]
      if let flag = signs.moreFlags.first(where: \.value) { parts.append("has_more_path: \(flag.path.yamlPath)") }
      return DraftedPaginator(yaml: "{ \(parts.joined(separator: ", ")) }", replaced: replaced)
    }
    let zeroBased = paginator(base: 0)
    guard let next = try await page(zeroBased, PageAddress(page: 2, size: size)) else { return nil }
    let nextKeys = next.identities(by: draft.key.path)
    guard !nextKeys.isEmpty, isOther(next) else {
      let isAlone = nextKeys.isEmpty && draft.parameters.contains { $0.name == name }
      return isAlone && signs.furtherPages(after: count).isEmpty ? zeroBased : nil
    }

    confirmation = next
    // If items are numbered from 1, the item at this offset is the last one of the first page.
    return nextKeys.first == identities.last ? paginator(base: 1) : zeroBased
  }
}
