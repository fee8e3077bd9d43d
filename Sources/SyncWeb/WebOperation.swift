/// Whether the sender of a request can operate the mirror: trigger and pause jobs, end pauses, confirm runs.
package enum WebOperation: Sendable, Equatable {
  /// The request does not have the owner's rights, so pages show no buttons.
  case hidden
  case allowed
  /// The database's user does not have the rights of a worker. `remedy` is the statement that grants them.
  case lacksRole(remedy: String)

  package var isAllowed: Bool { self == .allowed }

  /// The statement that grants the rights; `nil` if nothing is missing, or if pages show no buttons.
  package var remedy: String? { if case .lacksRole(let remedy) = self { remedy } else { nil } }
}

extension WebValue {
  /// Returns a list of links to pages with a button, each with `actText` and `actPath`.
  /// - Parameter actions: The texts, and paths that begin with `/` and do not contain `web.path`.
  package static func actions(_ actions: [(text: String, path: String)]) -> WebValue {
    .list(actions.map { .object(["actText": .text($0.text), "actPath": .text($0.path)]) })
  }
}
