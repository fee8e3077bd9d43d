import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import Yams

struct SourceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "source", abstract: "Declare sources: mirror any paged API without code.",
    discussion: """
      A declaration has the names of dlt's rest_api source. It is below sources in the configuration file, or in a \
      file that it names.

      Examples:
        syncctl source draft 'https://api.example.org/v2/products?per_page=100' > shop.yaml
        syncctl source import manifest.yaml > shop.yaml
        syncctl source check shop.yaml
        syncctl source list
      """, subcommands: [Check.self, Draft.self, Import.self, List.self])

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the declared sources and their resources.",
      discussion: """
        Example:
          syncctl source list
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var output: FormatOptions

    func listing() throws -> Listing {
      let sources = try common.configuration().declared
      return Listing(
        columns: ["source", "resource", "primary_key", "paginator", "absence", "base_url"].map {
          Column($0, fit: .wrapped)
        },
        rows: sources.flatMap { source in
          source.declaration.resources.map { resource in
            let stream = RestStream(resource, of: source.declaration)
            return [
              source.name, resource.name, resource.table.keyText, resource.paginator.name, stream.absenceText,
              source.declaration.baseURL,
            ].map { .text($0) }
          }
        }, emptyMessage: "No source is declared; syncctl source draft URL writes a declaration.")
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check a declaration, then request one page of each resource.",
      discussion: """
        NAME is a declared source. FILE is a configuration file, or a file with client and resources. Nothing is \
        written. The requests are not counted in the rate limits.

        Examples:
          syncctl source check shop
          syncctl source check shop.yaml
        """)

    @Argument(help: "A declared source, or a file.", completion: .file())
    var name: String

    @Flag(help: "Send no request.")
    var offline = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
      let streams = StandardStreams()
      var isGood = true
      for source in try sources() {
        let declaration = source.declaration
        let count = HumanFormat.counted(declaration.resources.count, "resource")
        try streams.print(line: "\(source.name): the declaration is valid, \(count)")
        for place in declaration.likelySecrets {
          try streams.print(
            line: "  \(place) looks like a key: write { env: NAME } or { file: PATH } in its place, and get a new key")
        }
        if offline { continue }
        isGood = try await check(source, streams) && isGood
      }
      if !isGood { throw ExitStatus(value: 69) }
    }

    /// Requests a page of each resource, and prints what it shows.
    /// - Returns: Whether the declaration fits the service.
    private func check(_ source: RestSource, _ streams: StandardStreams) async throws -> Bool {
      let declaration = source.declaration
      let now = Int64(Date().timeIntervalSince1970)
      var firstLists = FirstLists()
      var isGood = true
      for resource in declaration.resources.map({ $0.dated(at: now) }) {
        let parent = declaration.resources.first { $0.name == resource.parentName }
        guard let lists = try firstLists.list(of: resource, parent: parent, now: now) else {
          let reason = "\(parent?.name ?? "its parent") has no item with the members of its requests on its first page"
          try streams.print(line: "  \(resource.name): not requested, because \(reason)")
          continue
        }
        let stream = RestStream(
          resource, of: declaration, lists: lists.isEmpty ? nil : lists, additions: try source.additions(of: resource))
        let checked = await PageCheck(source: source, stream: stream).result()
        for line in checked.lines { try streams.print(line: "  \(line)") }
        firstLists.note(checked.first, of: resource)
        isGood = isGood && checked.isWell
      }
      return isGood
    }

    private func sources() throws -> [RestSource] {
      if Registry.names.contains(name) || !FileManager.default.fileExists(atPath: name) {
        let declared = try common.configuration().declared
        guard let source = declared.first(where: { $0.name == name }) else {
          let hint = declared.isEmpty ? "give a file" : Suggestion.choice(for: name, among: declared.map(\.name))
          throw SyncError(
            .usage, "there is no declared source and no file \(Excerpt.of(name, scalars: 60))", hint: hint)
        }
        return [source]
      }
      let sources = try ConfigurationFile.declaredSources(at: name)
      if !sources.isEmpty { return try sources.map { try $0.alone() } }
      guard let root = try ConfigurationFile.root(of: name),
        root.mapping?["resources"] != nil || root.mapping?["client"] != nil
      else {
        throw SyncError(
          .configuration, "\(Excerpt.of(name)): it declares no source",
          hint: "write client and resources, or sources: { NAME: { type: rest_api } }")
      }
      let file = name.split(separator: "/").last.map(String.init) ?? name
      let id = SourceID(rawValue: Draft.identifier(file.split(separator: ".").first.map(String.init) ?? file))
      let part = DeclarationPart(file: name, path: id.rawValue, node: root)
      let folder = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "."
      let declaration = try DeclarationReader(id: id, top: part, folder: folder).declaration()
      return [try RestKind.definition(of: declaration, in: folder).alone()]
    }
  }
}

extension SourceDefinition {
  /// The source with only the settings of its declaration and the environment.
  fileprivate func alone() throws(SyncError) -> RestSource {
    guard let source = try source(SourceSettings(alone: self, ProcessInfo.processInfo.environment)) as? RestSource
    else {
      throw SyncError(.configuration, "\(name) is not a declared source", hint: "give another name")
    }
    return source
  }
}

extension Configuration {
  fileprivate var declared: [RestSource] { sources.compactMap { $0 as? RestSource } }
}

extension Declaration.Paginator {
  var name: String {
    switch self {
    case .pageNumber: "page_number"
    case .offset: "offset"
    case .jsonLink: "json_link"
    case .headerLink: "header_link"
    case .cursor, .lastItem: "cursor"
    case .single: "single_page"
    }
  }
}

extension DeclaredTable {
  /// The key as the declaration writes it.
  fileprivate var keyText: String {
    key.isEmpty ? ResourceReader.noKey : keyColumns.map(\.pathText).joined(separator: ", ")
  }
}

extension RestStream {
  fileprivate var absenceText: String {
    if resource.isWindow { return "left the window" }
    if lookup != nil { return "looked up: its 404 proves removal" }
    return resource.isOrdered ? "proves nothing" : "leaves the list"
  }
}

/// What one page of a resource shows about its declaration.
private struct PageCheck {
  let source: RestSource
  let stream: RestStream

  /// The lines to print, and the first item of the page.
  struct Result {
    let lines: [String]
    let isWell: Bool
    var first: PageItem?
  }

  func result() async -> Result {
    let name = stream.resource.name
    let request = stream.request(stream.description.firstPage)
    do {
      let response = try await source.response(to: request)
      if let line = line(of: stream.action(for: response), response, to: request) {
        return Result(lines: [line], isWell: true)
      }
      guard case .items(let entries, let claim) = try stream.read(response, to: request) else {
        return Result(
          lines: ["\(name): \(Excerpt.of(request.url)) answered \(response.status); check path"], isWell: false)
      }
      var (facts, isWell) = facts(of: entries, claim, response)
      if let lookup = stream.lookup, case .item(let item)? = entries.first {
        let finds = try await finds(item, with: lookup)
        facts.append(finds ? "lookup finds the first item" : "lookup does not find the first item")
        isWell = isWell && finds
      }
      let items = entries.compactMap { entry in if case .item(let item) = entry { item } else { nil } }
      return Result(
        lines: ["\(name): \(HumanFormat.counted(entries.count, "item")) in \(Excerpt.of(request.url))"]
          + facts.map { "  \($0)" },
        isWell: isWell, first: items.first)
    } catch {
      let known = error as? SyncError
      return Result(lines: ["\(name): \(known?.description ?? Excerpt.of("\(error)"))"], isWell: false)
    }
  }

  /// Returns what a run does with an answer that is no page because of a declared action. `nil` if the answer is read
  /// as a page, or if it is an error.
  private func line(
    of action: Declaration.ResponseAction?, _ response: UpstreamResponse, to request: UpstreamRequest
  ) -> String? {
    guard let action else { return nil }
    let answer = "\(stream.resource.name): \(Excerpt.of(request.url)) answered \(response.status)"
    return switch action.action {
    case .ignore: "\(answer), which \(action.place) ignores: a run leaves the list as it is"
    case .end: "\(answer), which \(action.place) declares as the end: the list is empty"
    case .fail, .retry: nil
    }
  }

  private func finds(_ item: PageItem, with lookup: any ItemLookup) async throws -> Bool {
    let document = try JSONDecoder().decode(JSONMember.self, from: Data(item.document))
    let members = stream.resource.table.keyColumns.map { document.at($0.path)?.text ?? "" }
    let request = lookup.request(for: MissingItem(key: item.key, members: members))
    if case .item = try lookup.read(try await source.response(to: request), key: item.key, to: request) { return true }
    return false
  }

  private func facts(
    of entries: [Page.Entry], _ claim: PageClaim, _ response: UpstreamResponse
  ) -> (lines: [String], isWell: Bool) {
    var (lines, misfits, isWell): ([String], MisfitTally, Bool) = ([], MisfitTally(), true)
    let keys = entries.compactMap(\.key)
    for case .item(let item) in entries { misfits.add(item.misfits) }
    let rejected = entries.compactMap { entry in if case .rejected(let item) = entry { item } else { nil } }
    if let first = rejected.first {
      lines.append("\(HumanFormat.counted(rejected.count, "item")) cannot be stored: \(first.reason), \(first.detail)")
      isWell = false
    }
    let isUnique = Set(keys).count == keys.count
    if stream.resource.table.key.isEmpty {
      lines.append(isUnique ? "all items differ" : "some items are equal, and are stored once")
    } else {
      lines.append(isUnique ? "the keys are unique" : "some items have the same key: check primary_key")
      isWell = isWell && isUnique
    }
    if stream.resource.isOrdered, !KeyOrder.ascends(memberTexts(of: entries)) {
      lines.append("the keys do not ascend: remove order: key, or ask the service to sort")
      isWell = false
    }
    lines.append(misfits.sentence ?? "each declared column fits")
    if let fault = stream.resource.incremental?.fault(in: entries) {
      lines.append(fault)
      isWell = false
    }
    lines.append(end(claim))
    if let remark = claim.remark { lines.append("warning: \(remark)") }
    if let short = shortPage(entries.count, claim) { lines.append(short) }
    lines += claim.absentPaths.sorted().map { "this page has no \($0): correct or remove it, unless it can be absent" }
    if let validators = response.validators {
      lines.append("unchanged pages cost no body: it sends \(validators.etag != nil ? "ETag" : "Last-Modified")")
    }
    let limits = response.headers.filter { $0.key.contains("ratelimit") }.sorted { $0.key < $1.key }
    if !limits.isEmpty {
      lines.append(limits.map { "\($0.key): \(Excerpt.of($0.value, scalars: 60))" }.joined(separator: ", "))
    }
    return (lines, isWell)
  }

  /// The texts of each item's key. Hashed keys have another order than their texts.
  private func memberTexts(of entries: [Page.Entry]) -> [[String]] {
    entries.compactMap { entry in
      guard case .item(let item) = entry else { return nil }
      let document = try? JSONDecoder().decode(JSONMember.self, from: Data(item.document))
      return stream.resource.table.keyColumns.map { document?.at($0.path)?.text ?? "" }
    }
  }

  /// A remark if the page has fewer items than requested although the list goes on. A cap of the service is usual, but
  /// a page that is shorter than its limit can also mean that items were filtered out.
  private func shortPage(_ count: Int, _ claim: PageClaim) -> String? {
    guard let limit = requestedSize, count < limit else { return nil }
    let hasMore = claim.next != nil || claim.hasNext == true || (claim.total ?? 0) > count || (claim.lastPage ?? 0) > 1
    guard hasMore else { return nil }
    let items = HumanFormat.counted(count, "item")
    return "\(items), though \(limit) were requested, and the list goes on: lower the limit"
  }

  private var requestedSize: Int? {
    switch stream.resource.paginator {
    case .pageNumber(let numbered), .offset(let numbered):
      if let limit = numbered.limit { return limit }
    case .jsonLink, .headerLink, .cursor, .lastItem, .single: break
    }
    for parameter in stream.resource.parameters {
      guard case .literal(let text) = parameter.value, PaginatorReader.limitNames.contains(parameter.name) else {
        continue
      }
      if let limit = Int(text) { return limit }
    }
    return nil
  }

  private func end(_ claim: PageClaim) -> String {
    var parts: [String] = []
    if let total = claim.total { parts.append("the list claims \(HumanFormat.counted(total, "item"))") }
    if let last = claim.lastPage { parts.append("the last page is \(last)") }
    switch stream.resource.paginator {
    case .lastItem:
      parts.append(claim.next == nil ? "this page is the last" : "the next page continues after the last item")
    case .jsonLink, .headerLink, .cursor:
      parts.append(claim.next == nil ? "this page names no next page, so it is the last" : "the next page is named")
    case .single: parts.append("the list has one page")
    case .pageNumber, .offset:
      if claim.hasNext == nil, claim.lastPage == nil, claim.total == nil {
        parts.append("an empty page or a 404 ends the list")
      }
    }
    return parts.joined(separator: "; ")
  }
}
