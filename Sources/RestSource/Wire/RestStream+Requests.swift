import SyncCore
import SyncPostgres
import SyncProgram

extension RestStream {
  func request(_ address: PageAddress) -> UpstreamRequest {
    var request = UpstreamRequest(url: url(of: address))
    request.additions = additions
    request.body = body(of: address).map { Array($0.json.utf8) }
    request.list = address.list
    return request
  }

  /// Whether this is the request for page 1 of its list.
  func isFirst(_ request: UpstreamRequest) -> Bool {
    let first = self.request(description.firstPage.of(list: request.list))
    return first.url == request.url && first.body == request.body
  }

  /// - Throws: `SyncError` `.configuration` if the stored address of the next page has another origin, which would
  ///   receive the secrets of this one.
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

  /// The values of the placeholders in the requests of a list.
  private func placeholderValues(of list: String?) -> TextTemplate.Values {
    let values = self.values(of: list)
    guard let incremental = resource.incremental else { return TextTemplate.Values(list: values) }
    guard incremental.window != nil, values.count == 2 else {
      return TextTemplate.Values(start: since ?? incremental.initial)
    }
    return TextTemplate.Values(start: values[0], end: values[1])
  }

  private func body(of address: PageAddress) -> RequestBody? {
    guard var body = resource.body?.filled(with: placeholderValues(of: address.list)) else { return nil }
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
    case .offset(let places):
      [
        (places.place, .literal("\(address.offset + places.base)")),
        (places.limitPlace ?? .parameter("limit"), .literal("\(address.size)")),
      ]
    }
  }

  private func url(of address: PageAddress) -> String {
    switch resource.paginator {
    case .jsonLink, .headerLink: if let next = address.next { return next }
    case .single, .cursor, .lastItem, .pageNumber, .offset: break
    }

    let filling = placeholderValues(of: address.list)
    var query = resource.parameters(filledWith: filling).compactMap { parameter -> (String, String)? in
      if case .literal(let text) = parameter.value, !parameter.isHidden { (parameter.name, text) } else { nil }
    }
    func set(_ name: String, to value: String) {
      let index = query.firstIndex { $0.0 == name } ?? query.endIndex
      query.replaceSubrange(index..<min(index + 1, query.endIndex), with: [(name, value)])
    }

    if let name = resource.incremental?.parameter, let start = filling.start { set(name, to: start) }
    if let name = resource.incremental?.window?.parameter, let end = filling.end { set(name, to: end) }
    for (place, value) in values(of: address) {
      guard case .parameter(let name) = place else { continue }
      switch value {
      case .string(let text), .literal(let text): set(name, to: text)
      case .object, .array, .template: break
      }
    }
    return Self.url(description.origin, path: resource.path(filledWith: filling.list), query: query)
  }

  /// Returns the address of a path below the base URL. Each part is encoded once.
  /// - Parameters:
  ///   - base: A checked base URL, so that it always is an address.
  ///   - query: The names and values of the parameters.
  static func url(_ base: String, path: String, query: [(String, String)] = []) -> String {
    guard let address = try? HTTPAddress(base) else { return base }
    return address.appending(path: path, parameters: query.map { (name: $0.0, value: $0.1) }).description
  }
}
