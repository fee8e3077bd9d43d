import JSONScan
import SyncCore
import SyncProgram
import Yams

extension ResourceReader {
  /// Returns the paginator of the resource or of `client`.
  /// - Parameters:
  ///   - selector: The path of the items.
  ///   - hasBody: Whether the requests have a body.
  func paginator(
    _ parameters: [Parameter], selector: [JSONScan.Step], hasBody: Bool
  ) throws(SyncError) -> (Declaration.Paginator, Declaration.ChainRules) {
    let hint =
      "\(try draftCommand(parameters)) finds it and prints the line to write; paginator: single_page if the list has one page"
    guard let paginator = endpoint["paginator"] ?? client.paginator, !paginator.isNull else {
      throw part.fault("has no paginator", hint: hint)
    }
    // dlt guesses the paginator in each run. A wrong guess would make a part of the list complete.
    let type = paginator.node.mapping?["type"] ?? paginator.node
    guard type.string != "auto" else { throw paginator.fault("is auto", hint: hint) }

    let limits = parameters.compactMap { parameter -> (name: String, value: Int)? in
      guard case .literal(let text) = parameter.text, let limit = Int(text), limit > 0 else { return nil }
      return (parameter.name, limit)
    }
    return try PaginatorReader(paginator, selector: selector, limits: limits, hasBody: hasBody).paginator()
  }

  /// The command that finds the resource's paginator. Secrets are left out of its address.
  private func draftCommand(_ parameters: [Parameter]) throws(SyncError) -> String {
    let shownParameters = parameters.compactMap { parameter -> (String, String)? in
      guard case .literal(let text) = parameter.text, parameter.template == nil, !text.hasPrefix("{incremental"),
        !parameter.text.isLikelySecret(named: parameter.name)
      else { return nil }
      return (parameter.name, text)
    }
    let address = RestStream.url(client.baseURL, path: try path(), query: shownParameters)
    return "syncctl source draft \(address.shellWord)"
  }
}
