import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

/// The requests of a resource, and the reading of its pages.
struct RestStream: PagedStream {
  let resource: Declaration.Resource
  let description: StreamDescription
  let lookup: (any ItemLookup)?
  private let reader: RestReader
  private let additions: RequestAdditions
  /// What an incremental walk asks for.
  private let since: String?
  /// A service can repeat these in the addresses of next pages.
  private let secretParameters: Set<String>

  /// - Parameters:
  ///   - since: The value of the incremental parameter; `nil` for a walk of the whole list.
  ///   - additions: The headers and the secret part of each request.
  init(
    _ resource: Declaration.Resource, of declaration: Declaration, since: String? = nil,
    additions: RequestAdditions = RequestAdditions()
  ) {
    self.resource = resource
    self.since = since
    self.additions = additions
    let secret = resource.parameters.filter(\.isHidden).map(\.name)
    secretParameters = Set(secret + [declaration.auth?.parameter].compactMap(\.self))
    let size = resource.pageSize
    let isCatalogue = resource.isCatalogue && since == nil
    let method: WalkMethod =
      switch resource.paginator {
      case .single: .single
      case .jsonLink, .headerLink, .cursor, .lastItem: .chain
      case .pageNumber: isCatalogue ? .catalogue(pageCap: nil) : .pages
      case .offset: isCatalogue ? .catalogue(pageCap: nil) : .positions
      }
    let absence: Absence =
      if since != nil {
        .provesNothing
      } else if resource.isWindow {
        .leavesWindow
      } else if resource.lookup != nil || resource.isOrdered {
        .questionsItem(.wholeList, publishes: !resource.isOrdered)
      } else {
        .endsEntry(.wholeList)
      }
    let cursor = resource.table.cursor ?? []
    let incremental = resource.incremental.map { "\(cursor) \($0.parameter) \($0.initial ?? "")" } ?? ""
    let parameters =
      ["\(resource.paginator)", resource.path]
      + resource.parameters.map { parameter in
        // A list with other dates is another list. An incremental list stays the same one, as its cursor's value does.
        let template = resource.incremental == nil ? nil : parameter.template
        return "\(parameter.name)=\(template?.source ?? parameter.value.shown)"
      }
      + declaration.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
      + (resource.body.map { ["POST \($0.json)"] } ?? []) + ["\(method)", "total \(resource.total ?? [])", incremental]
      + (resource.paginator.isChain ? [resource.chain.parameter] : []) + resource.table.meaningOfPages
    let wholeList = parameters.joined(separator: "&")
    var description = StreamDescription(
      id: StreamID(source: declaration.id, name: resource.name), provider: declaration.id.rawValue,
      origin: declaration.baseURL, pageSize: size, method: method, absence: absence, sql: resource.table.sql(),
      mappingVersion: RestReader.mappingVersion, parameters: wholeList + (since.map { "&since=\($0)" } ?? ""))
    description.wholeListParameters = since == nil ? nil : wholeList
    description.isChainByKey = resource.chain.isByKey
    description.evidenceRemedy = resource.evidenceRemedy
    self.description = description
    let reader = RestReader(resource, mayBeEmpty: since != nil, mask: additions.mask)
    self.reader = reader
    lookup = resource.lookup.map { lookup in
      RestLookup(
        lookup: lookup, resource: resource, reader: reader, baseURL: declaration.baseURL, additions: additions)
    }
  }

  var namesNextInHeader: Bool { if case .headerLink = resource.paginator { true } else { false } }

  func request(_ address: PageAddress) -> UpstreamRequest {
    var request = UpstreamRequest(url: url(of: address))
    request.additions = additions
    request.body = body(of: address).map { Array($0.json.utf8) }
    return request
  }

  /// Whether this is the request for page 1.
  private func isFirst(_ request: UpstreamRequest) -> Bool {
    let first = self.request(PageAddress(page: 1, size: description.pageSize))
    return first.url == request.url && first.body == request.body
  }

  private func body(of address: PageAddress) -> RequestBody? {
    guard var body = resource.body else { return nil }
    for (place, value) in values(of: address) {
      guard case .body(let path) = place else { continue }
      body = body.setting(path[...], to: value)
    }
    return body
  }

  /// The values of the paginator in the request of a page, with their places.
  private func values(of address: PageAddress) -> [(place: Declaration.Paginator.Place, value: RequestBody)] {
    switch resource.paginator {
    case .single, .jsonLink, .headerLink: []
    case .cursor(_, let place), .lastItem(_, let place): address.next.map { [(place, .string($0))] } ?? []
    case .pageNumber(let pages):
      [(pages.place, .literal("\(address.page - 1 + pages.base)"))]
        + (pages.limitPlace.map { [($0, .literal("\(address.size)"))] } ?? [])
    case .offset(let offsets):
      [
        (offsets.place, .literal("\(address.offset + offsets.base)")),
        (offsets.limitPlace ?? .parameter("limit"), .literal("\(address.size)")),
      ]
    }
  }

  func check(_ address: PageAddress) throws(SyncError) {
    guard let next = address.next else { return }
    switch resource.paginator {
    case .jsonLink, .headerLink: break
    case .cursor, .lastItem, .single, .pageNumber, .offset: return
    }
    guard (try? HTTPAddress(next))?.origin != Origin.server(of: description.origin) else { return }
    throw SyncError(
      .configuration, "\(description.id): the stored address of the next page, \(Excerpt.of(next)), has another origin",
      hint: "only another program can have stored this address; syncctl run --full --source \(description.id.source) "
        + "--stream \(description.id.name) begins a new walk")
  }

  private func url(of address: PageAddress) -> String {
    var query = resource.parameters.compactMap { parameter -> (String, String)? in
      if case .literal(let text) = parameter.value, !parameter.isHidden { (parameter.name, text) } else { nil }
    }
    func set(_ name: String, _ value: String) {
      let index = query.firstIndex { $0.0 == name } ?? query.endIndex
      query.replaceSubrange(index..<min(index + 1, query.endIndex), with: [(name, value)])
    }
    if let incremental = resource.incremental, let value = since ?? incremental.initial {
      set(incremental.parameter, value)
    }
    switch resource.paginator {
    case .jsonLink, .headerLink: if let next = address.next { return next }
    case .single, .cursor, .lastItem, .pageNumber, .offset: break
    }
    for (place, value) in values(of: address) {
      guard case .parameter(let name) = place else { continue }
      switch value {
      case .string(let text), .literal(let text): set(name, text)
      case .object, .array: break
      }
    }
    return Self.url(description.origin, resource.path, query)
  }

  /// Returns the address of a path below the base URL. Each part is encoded once.
  /// - Parameter base: A checked base URL, so that it always is an address.
  static func url(_ base: String, _ path: String, _ query: [(String, String)] = []) -> String {
    guard let address = try? HTTPAddress(base) else { return base }
    return address.appending(path: path, parameters: query.map { (name: $0.0, value: $0.1) }).description
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    try response.read(hidingSecretsOf: request) { (response) throws(SyncError) in try page(response, to: request) }
  }

  private func page(_ response: UpstreamResponse, to request: UpstreamRequest) throws(SyncError) -> Page {
    let isFirst = isFirst(request)
    switch response.status {
    case 200:
      var page: Page
      do throws(SyncError) {
        page = try reader.page(response, to: request, isFirst: isFirst)
      } catch {
        // After the end of a list, some services answer without a list. An answer that names an error is never the end.
        guard !isFirst, !resource.paginator.isChain, error.disposition == .stopStream, !reader.namesError(response)
        else { throw error }
        return .refused(error)
      }
      if case .items(let entries, var claim) = page {
        if claim.hasNext != false { claim.next = try next(after: claim.next, response, request) }
        try checkMore(claim, request)
        claim.nextKey = nextKey(of: entries.last, in: claim.next)
        page = .items(entries, claim)
      }
      return page
    case 400, 404, 410, 416, 422: return try missingPage(response, to: request, isFirst: isFirst)
    default: throw RestAnswer.error(response, to: request)
    }
  }

  /// Interprets an answer that has no page: the list does not exist or has ended, or the service refuses the request.
  /// - Throws: `SyncError` for page 1, or if a chain must begin again.
  private func missingPage(
    _ response: UpstreamResponse, to request: UpstreamRequest, isFirst: Bool
  ) throws(SyncError) -> Page {
    let isChain = resource.paginator.isChain
    // An incremental walk can have no news.
    if response.status == 404, isFirst, since == nil {
      throw RestAnswer.listIsMissing(request, resource: resource.name)
    }
    if response.status == 404, isFirst || !isChain { return .notFound }
    let error = RestAnswer.error(response, to: request)
    if isFirst { throw error }
    guard isChain else { return .refused(error) }
    throw SyncError(
      .upstream, "\(error.message), so the service no longer knows the place where the walk was",
      hint: "the next run starts a new walk", disposition: .restart)
  }

  /// - Throws: `SyncError` if the page says that another page follows, but names none. This is never the end of a list.
  private func checkMore(_ claim: PageClaim, _ request: UpstreamRequest) throws(SyncError) {
    guard resource.paginator.isChain, claim.hasNext == true, claim.next == nil else { return }
    let member = Excerpt.of((resource.chain.hasMore ?? []).joined(separator: "."))
    throw SyncError(
      .upstream,
      "\(Excerpt.of(request.url)) says with \(member) that another page follows, but names no next page",
      hint: "check paginator in the declaration: the next page's address or cursor can be in another member")
  }

  private func nextKey(of last: Page.Entry?, in next: String?) -> String? {
    guard let next, case .item(let item)? = last,
      let member = try? JSONDecoder().decode(JSONMember.self, from: Data(item.document))
    else { return nil }
    let isAddress =
      switch resource.paginator {
      case .cursor, .lastItem: false
      case .jsonLink, .headerLink, .pageNumber, .offset, .single: true
      }
    let address = NextAddress(next, isAddress: isAddress)
    let key = resource.table.keyColumns.map { member.at($0.path)?.keyText }
    return address.value(of: key) ?? resource.table.cursor.flatMap { address.value(of: [member.at($0)?.keyText]) }
  }

  /// Returns the next page's address without secrets, or the next cursor.
  /// - Parameter claimed: The link or cursor in the body.
  /// - Throws: `SyncError` if the link cannot be read, or has another origin, because it would receive the secrets of
  ///   this one.
  private func next(
    after claimed: String?, _ response: UpstreamResponse, _ request: UpstreamRequest
  ) throws(SyncError) -> String? {
    switch resource.paginator {
    case .pageNumber, .offset, .single: return nil
    case .cursor, .lastItem: return claimed
    case .jsonLink:
      return try claimed.map { (link) throws(SyncError) in try address(of: link, in: response, to: request) }
    case .headerLink(let relation):
      guard let header = response.headers["link"] else { return nil }
      let links = LinkHeader(header)
      if let link = links.target(of: relation) {
        return link.isEmpty ? nil : try address(of: link, in: response, to: request)
      }
      guard links.isWhole else {
        throw SyncError(
          .upstream, "the header Link of \(Excerpt.of(request.url)) cannot be read: \(Excerpt.of(header))",
          hint: "ask the service for links as in RFC 8288: <https://…>; rel=\"next\"")
      }
      return nil
    }
  }

  private func address(
    of link: String, in response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> String {
    let found: HTTPAddress
    do throws(HTTPAddress.Fault) {
      let base = try HTTPAddress(request.url)
      found = resource.chain.keepsOrigin ? try base.resolvingOnlyPath(of: link) : try base.resolving(link)
    } catch {
      // The server of a link that cannot be parsed cannot be compared with the server of the base URL.
      throw unfollowed(
        link, in: request, error == .control ? "which has a control character" : "which has another origin")
    }
    guard found.origin == Origin.server(of: description.origin) else {
      throw unfollowed(link, in: request, "which has another origin")
    }
    let next = found.droppingParameters { name, value in
      secretParameters.contains(name) || isSecret(value ?? "", in: response)
    }.description
    guard
      !additions.mask.finds(in: next, .recording)
        && !(response.hidesSecrets && next.contains(SecretMask.replacement))
    else {
      throw SyncError(
        .upstream, "\(Excerpt.of(request.url)) names a next page whose address contains a secret",
        hint: "ask the service how to send the secret in a header: addresses of next pages are stored")
    }
    return next
  }

  /// Whether the value of a link's parameter is a secret, or the replacement of one.
  private func isSecret(_ value: String, in response: UpstreamResponse) -> Bool {
    response.hidesSecrets && value == SecretMask.replacement
      || additions.mask.masking(value, .recording) == SecretMask.replacement
  }

  private func unfollowed(_ link: String, in request: UpstreamRequest, _ reason: String) -> SyncError {
    SyncError(
      .upstream, "\(Excerpt.of(request.url)) names the next page \(Excerpt.of(link)), \(reason)",
      hint: "links to other servers, or from https to http, are not followed: check base_url; if a proxy in front of "
        + "the service changes its address, write next_link: { keep: path } in the paginator")
  }
}

extension DeclaredTable {
  /// What gives stored keys and counters their meaning. Pages of a walk with another meaning are read again. Empty for
  /// a key that is a number, without counters.
  fileprivate var meaningOfPages: [String] {
    let identity = key.isEmpty ? "key *" : "key \(keyColumns.map { "\($0.pathText) \($0.type.name)" })"
    let members = "counters \(counters.map { $0.pathText }.sorted())"
    return (hasNumberKey ? [] : [identity]) + (counters.isEmpty ? [] : [members])
  }
}

extension Declaration.Resource {
  /// What to declare so that a walk has evidence; `nil` if the list has only one page.
  fileprivate var evidenceRemedy: String? {
    let declared: [String]? = if case .offset(let offsets) = paginator { total ?? offsets.total } else { total }
    if declared != nil { return "check total_path: it must give the number of all items of the list on each page" }
    switch paginator {
    case .pageNumber: return "declare total_path, or an offset paginator"
    case .offset: return "declare total_path"
    case .jsonLink, .headerLink:
      return "declare total_path, or cursor: by_key if the next address continues after the last item's key"
    case .cursor, .lastItem:
      return "declare total_path, or cursor: by_key if the cursor continues after the last item's key"
    case .single: return nil
    }
  }

  var pageSize: Int {
    switch paginator {
    // Without a known size, the claimed total gives the largest possible number of pages.
    case .pageNumber(let pages): pages.limit ?? 10
    case .offset(let offsets): offsets.limit ?? 100
    case .jsonLink, .headerLink, .cursor, .lastItem, .single: 100
    }
  }

  /// Whether pages can begin at any item, so that they can overlap.
  var isCatalogue: Bool {
    guard isOrdered, table.hasNumberKey else { return false }
    return switch paginator {
    // Smaller pages cannot begin at every item: 6 items are whole pages of 2 and of 3.
    case .pageNumber(let pages): pages.limitPlace != nil && (pages.limit ?? 0) >= Limits.smallestCataloguePage
    case .offset(let offsets): (offsets.limit ?? 0) >= Limits.smallestCataloguePage
    case .jsonLink, .headerLink, .cursor, .lastItem, .single: false
    }
  }
}
