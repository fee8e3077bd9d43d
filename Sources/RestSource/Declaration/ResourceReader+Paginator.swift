import JSONScan
import SyncCore
import SyncProgram
import Yams

extension ResourceReader {
  /// Returns the paginator of the resource or of `client`.
  /// - Parameters:
  ///   - requests: Their parameters can have a page's size.
  ///   - selector: The path of the items.
  ///   - hasBody: Whether the requests have a body.
  func paginator(
    _ requests: Requests, selector: [JSONScan.Step], hasBody: Bool
  ) throws(SyncError) -> (Declaration.Paginator, Declaration.ChainRules) {
    let hint =
      "\(draftCommand(requests)) finds it and prints the line to write; paginator: single_page if the list has one page"
    guard let paginator = endpoint["paginator"] ?? client.paginator, !paginator.isNull else {
      throw part.fault("has no paginator", hint: hint)
    }
    // dlt guesses the paginator in each run. A wrong guess would make a part of the list complete.
    let type = paginator.node.mapping?["type"] ?? paginator.node
    guard type.string != "auto" else { throw paginator.fault("is auto", hint: hint) }

    let limits = requests.parameters.compactMap { parameter -> (name: String, value: Int)? in
      guard case .literal(let text) = parameter.text, let limit = Int(text), limit > 0 else { return nil }
      return (parameter.name, limit)
    }
    return try PaginatorReader(paginator, selector: selector, limits: limits, hasBody: hasBody).paginator()
  }

  /// The command that finds the resource's paginator. Secrets are left out of its address, and a parent's members are
  /// words that the user replaces.
  private func draftCommand(_ requests: Requests) -> String {
    let members = requests.parent.map { $0.members.map { ($0.last ?? "").uppercased() } }
    let values = members ?? requests.values.map { [$0.values[0]] } ?? []
    let shownParameters = requests.parameters.compactMap { parameter -> (String, String)? in
      guard case .literal(let text) = parameter.text, !parameter.declared.isLikelySecret else { return nil }
      guard let template = parameter.template else { return (parameter.name, text) }
      guard !template.hasDates, !template.hasCursor else { return nil }
      return (parameter.name, template.text(filledWith: TextTemplate.Values(list: values)))
    }
    let path = ListPlaceholder.filled(requests.path, with: values.map { $0.percentEncoded() })
    let address = RestStream.url(client.baseURL, path: path, query: shownParameters)
    return "syncctl source draft \(address.shellWord)"
  }
}
