import SyncCore
import SyncPostgres

extension Declaration.Resource {
  /// Returns the description of the resource's stream.
  /// - Parameter since: The value of the incremental parameter; `nil` for a walk of the whole list.
  func description(in declaration: Declaration, since: String?) -> StreamDescription {
    let method = walkMethod(isIncremental: since != nil)
    let wholeList = wholeListParameters(in: declaration, method)
    var description = StreamDescription(
      id: StreamID(source: declaration.id, name: name),
      provider: declaration.id.rawValue,
      origin: declaration.baseURL,
      pageSize: pageSize,
      method: method,
      absence: absence(isIncremental: since != nil),
      sql: table.sql(),
      mappingVersion: RestReader.mappingVersion,
      parameters: wholeList + (since.map { "&since=\($0)" } ?? ""))
    description.wholeListParameters = since == nil ? nil : wholeList
    description.isChainByKey = chain.isByKey
    description.evidenceRemedy = evidenceRemedy
    return description
  }

  private func walkMethod(isIncremental: Bool) -> WalkMethod {
    let isCatalogue = isCatalogue && !isIncremental
    return switch paginator {
    case .single: .single
    case .jsonLink, .headerLink, .cursor, .lastItem: .chain
    case .pageNumber: isCatalogue ? .catalogue(pageCap: nil) : .pages
    case .offset: isCatalogue ? .catalogue(pageCap: nil) : .positions
    }
  }

  /// What a missing item means.
  private func absence(isIncremental: Bool) -> Absence {
    if isIncremental {
      .provesNothing
    } else if isWindow {
      .leavesWindow
    } else if lookup != nil || isOrdered {
      .questionsItem(.wholeList, publishes: !isOrdered)
    } else {
      .endsEntry(.wholeList)
    }
  }

  /// The parameters of a walk of the whole list. A walk with other parameters does not continue the pages of this one.
  ///
  /// The text contains the names of the paginator's cases and properties, so renaming them begins new walks.
  private func wholeListParameters(in declaration: Declaration, _ method: WalkMethod) -> String {
    // A list with other dates is another list. An incremental list stays the same one, as its cursor's value does.
    let showsDates = incremental == nil
    let sent = parameters.map { parameter in
      "\(parameter.name)=\(showsDates ? parameter.value.shown : parameter.template?.source ?? parameter.value.shown)"
    }
    let headers = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
    let sentBody = showsDates ? body : body?.mapping { template, _ in .string(template.source) }
    let body = sentBody.map { ["POST \($0.json)"] } ?? []
    let cursor = incremental.map { "\(table.cursor ?? []) \($0.parameter ?? "") \($0.initial ?? "")" } ?? ""

    var parts = ["\(paginator)", path] + sent + headers + body
    if let window = incremental?.window { parts.append("\(window)") }
    switch lists {
    case .values(let name, let values)?: parts.append("values \(name) \(values)")
    case .parent(let parent)?:
      parts.append("parent \(parent.resource) \(parent.members) \(parent.identifies)")
      let resource = declaration.resources.first { $0.name == parent.resource }
      let members = parent.members.compactMap { resource?.memberForChildren($0) }
      if members != parent.members.map({ .document($0) }) { parts.append("members \(members)") }
    case nil: break
    }
    if let keyAs { parts.append("key_as \(keyAs)") }
    parts += ["\(method)", "total \(total ?? [])", cursor]
    if paginator.isChain { parts.append(chain.parameter) }
    // With other actions, the answer of a stored page can mean something else, so a new walk begins.
    if !actions.isEmpty { parts.append("answers \(actions.map(\.parameter))") }
    parts += table.meaningOfPages
    return parts.joined(separator: "&")
  }

  /// What to declare so that a walk has evidence; `nil` if the list has only one page.
  private var evidenceRemedy: String? {
    let declared: [String]? = if case .offset(let places) = paginator { total ?? places.total } else { total }
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

  /// The number of items that a request asks for.
  var pageSize: Int {
    switch paginator {
    // Without a known size, the claimed total gives the largest possible number of pages.
    case .pageNumber(let pages): pages.limit ?? 10
    case .offset(let places): places.limit ?? 100
    case .jsonLink, .headerLink, .cursor, .lastItem, .single: 100
    }
  }

  /// Whether pages can begin at any item, so that they can overlap.
  var isCatalogue: Bool {
    guard isOrdered, table.hasNumberKey else { return false }
    return switch paginator {
    // Smaller pages cannot begin at every item: 6 items are whole pages of 2 and of 3.
    case .pageNumber(let pages): pages.limitPlace != nil && (pages.limit ?? 0) >= Limits.smallestCataloguePage
    case .offset(let places): (places.limit ?? 0) >= Limits.smallestCataloguePage
    case .jsonLink, .headerLink, .cursor, .lastItem, .single: false
    }
  }
}

extension DeclaredTable {
  /// The declarations that give stored keys and counters their meaning. Pages of a walk with another meaning are read
  /// again. Empty for a key that is a number, without counters.
  fileprivate var meaningOfPages: [String] {
    let identity = key.isEmpty ? "key *" : "key \(keyColumns.map { "\($0.pathText) \($0.type.name)" })"
    let members = "counters \(counters.map { $0.pathText }.sorted())"
    return (hasNumberKey ? [] : [identity]) + (counters.isEmpty ? [] : [members])
  }
}
