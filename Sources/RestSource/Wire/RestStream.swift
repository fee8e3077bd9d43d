import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

/// The requests of a resource, and the reading of its pages.
struct RestStream: PagedStream {
  let resource: Declaration.Resource
  let description: StreamDescription
  let lookup: (any ItemLookup)?
  let reader: RestReader
  /// The headers and the secret part of each request.
  let additions: RequestAdditions
  /// The value of the incremental parameter; `nil` for a walk of the whole list.
  let since: String?
  /// The parameters whose values are secrets. A service can repeat them in the addresses of next pages.
  let secretParameters: Set<String>
  /// The lists by name. Empty if the resource has one list.
  private let lists: [String: StreamList]
  /// Whether each request has an access token that is requested again after an answer 401.
  let usesAccessTokens: Bool

  /// - Parameters:
  ///   - since: The value of the incremental parameter; `nil` for a walk of the whole list.
  ///   - lists: The lists of a resource that has several. `nil` if it has one, or if no list is requested.
  ///   - additions: The headers and the secret part of each request.
  init(
    _ resource: Declaration.Resource, of declaration: Declaration, since: String? = nil, lists: [StreamList]? = nil,
    additions: RequestAdditions = RequestAdditions()
  ) {
    self.resource = resource
    self.since = since
    self.additions = additions
    self.lists = Dictionary((lists ?? []).map { ($0.name, $0) }) { first, _ in first }

    let hiddenParameters = resource.parameters.filter(\.isHidden).map(\.name)
    secretParameters = Set(hiddenParameters + [declaration.auth?.parameter].compactMap(\.self))
    var description = resource.description(in: declaration, since: since)
    description.lists = lists.map(StreamLists.init)
    self.description = description
    usesAccessTokens = if case .oauth? = declaration.auth { true } else { false }

    // A parent item without children, or a window without changes, has an empty list.
    let mayBeEmpty = since != nil || resource.table.lists != nil
    let reader = RestReader(resource, mayBeEmpty: mayBeEmpty, mask: additions.mask)
    self.reader = reader
    lookup = resource.lookup.map { lookup in
      RestLookup(
        lookup: lookup, resource: resource, reader: reader, baseURL: declaration.baseURL, additions: additions)
    }
  }

  /// The values in the requests of a list. Empty in a resource of one list.
  func values(of list: String?) -> [String] { list.flatMap { lists[$0]?.values } ?? [] }

  /// The reader of a list's pages, whose items get the members that identify their parent.
  private func reader(of list: String?) -> RestReader {
    guard !resource.parentKey.isEmpty else { return reader }
    var reader = reader
    reader.addedMembers = resource.parentMembers(Array(values(of: list).suffix(resource.parentKey.count)))
    return reader
  }

  var namesNextInHeader: Bool { if case .headerLink = resource.paginator { true } else { false } }

  func mustRead(_ response: UpstreamResponse) -> Bool { action(for: response) != nil }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    // The action is chosen before secrets are hidden, because a body without its secrets can fit another action.
    let action = action(for: response)
    return try response.read(hidingSecretsOf: request) { (response) throws(SyncError) in
      guard let action else { return try page(response, to: request) }
      return try page(by: action, response, to: request)
    }
  }

  private func page(_ response: UpstreamResponse, to request: UpstreamRequest) throws(SyncError) -> Page {
    let isFirst = isFirst(request)
    switch response.status {
    case 200: return try presentPage(response, to: request, isFirst: isFirst)
    case 400, 404, 410, 416, 422: return try missingPage(response, to: request, isFirst: isFirst)
    default: throw RestAnswer.error(response, to: request)
    }
  }

  /// Reads an answer with status 200, and finds its next page.
  private func presentPage(
    _ response: UpstreamResponse, to request: UpstreamRequest, isFirst: Bool
  ) throws(SyncError) -> Page {
    let page: Page
    do throws(SyncError) {
      page = try reader(of: request.list).page(response, to: request, isFirst: isFirst)
    } catch {
      // After the end of a list, some services answer without a list. An answer that names an error is never the end.
      guard !isFirst, !resource.paginator.isChain, error.disposition == .stopStream,
        reader.namedError(in: response.body) == nil
      else { throw error }
      return .refused(error)
    }

    guard case .items(let entries, var claim) = page else { return page }
    if claim.hasNext != false { claim.next = try next(after: claim.next, in: response, to: request) }
    try checkMore(claim, request)
    claim.nextKey = nextKey(of: entries.last, in: claim.next)
    return .items(entries, claim)
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
}
