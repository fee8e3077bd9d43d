import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

/// The next page that a page of a chain names.
extension RestStream {
  /// Returns the next page's address without secrets, or the next cursor.
  /// - Parameter claimed: The link or cursor in the body.
  /// - Throws: `SyncError` if the link cannot be read, or has another origin, because it would receive the secrets of
  ///   this one.
  func next(
    after claimed: String?, in response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> String? {
    switch resource.paginator {
    case .pageNumber, .offset, .single: return nil
    case .cursor, .lastItem: return claimed
    case .jsonLink:
      return try claimed.map { (link) throws(SyncError) in try address(of: link, in: response, to: request) }
    case .headerLink(let relation):
      return try headerLink(relation, in: response, to: request)
    }
  }

  /// Returns the target of the header `Link` with this relation; `nil` if the response has no such link.
  private func headerLink(
    _ relation: String, in response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> String? {
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

  /// Returns the absolute address of a link without the parameters that have secrets.
  private func address(
    of link: String, in response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> String {
    let target = try target(of: link, in: request)
    let next = target.droppingParameters { name, value in
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

  /// - Throws: `SyncError` unless the link leads to the server of the base URL.
  private func target(of link: String, in request: UpstreamRequest) throws(SyncError) -> HTTPAddress {
    let target: HTTPAddress
    do throws(HTTPAddress.Fault) {
      let base = try HTTPAddress(request.url)
      target = resource.chain.keepsOrigin ? try base.resolvingOnlyPath(of: link) : try base.resolving(link)
    } catch {
      // The server of a link that cannot be parsed cannot be compared with the server of the base URL.
      throw unfollowed(
        link, in: request, error == .control ? "which has a control character" : "which has another origin")
    }
    guard target.origin == Origin.server(of: description.origin) else {
      throw unfollowed(link, in: request, "which has another origin")
    }
    return target
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

  /// - Throws: `SyncError` if the page says that another page follows, but names none. This is never the end of a list.
  func checkMore(_ claim: PageClaim, _ request: UpstreamRequest) throws(SyncError) {
    guard resource.paginator.isChain, claim.hasNext == true, claim.next == nil else { return }
    let member = Excerpt.of((resource.chain.hasMore ?? []).joined(separator: "."))
    throw SyncError(
      .upstream,
      "\(Excerpt.of(request.url)) says with \(member) that another page follows, but names no next page",
      hint: "check paginator in the declaration: the next page's address or cursor can be in another member")
  }

  /// Returns the key or the incremental cursor of the last item if the next page continues after it; otherwise `nil`.
  /// - Parameters:
  ///   - last: The last entry of the page.
  ///   - next: The address or cursor of the next page.
  func nextKey(of last: Page.Entry?, in next: String?) -> String? {
    guard let next, case .item(let item)? = last,
      let member = try? JSONDecoder().decode(JSONMember.self, from: Data(item.document))
    else { return nil }

    let isAddress =
      switch resource.paginator {
      case .cursor, .lastItem: false
      case .jsonLink, .headerLink, .pageNumber, .offset, .single: true
      }
    let address = NextAddress(next, isAddress: isAddress)
    // All items of a list have the same parent's key, so an address continues after the item's own members.
    let key = resource.table.keyColumns.dropFirst(resource.parentKey.count).map { member.at($0.path)?.keyText }
    return address.value(of: key) ?? resource.table.cursor.flatMap { address.value(of: [member.at($0)?.keyText]) }
  }
}
