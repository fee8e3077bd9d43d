import SyncCore
import SyncPostgres
import Testing
import Yams

@testable import RestSource

enum DeclarationText {
  /// Reads the part of a configuration below the name of the source.
  static func read(_ yaml: String, id: SourceID = "shop") throws -> Declaration {
    let top = DeclarationPart(file: "shop.yaml", path: "sources.\(id)", node: try node(yaml))
    return try DeclarationReader(id: id, top: top).declaration()
  }

  static func node(_ yaml: String) throws -> Node { try #require(try Yams.compose(yaml: yaml)) }

  static func error(of yaml: String, id: SourceID = "shop") throws -> SyncError {
    try #require(throws: SyncError.self) { try read(yaml, id: id) }
  }

  /// Reads a source whose only resource is declared by `yaml`, which begins with the name and has no indentation.
  static func resource(_ yaml: String, paginator: String = "single_page") throws -> Declaration.Resource {
    let lines = yaml.split(separator: "\n").joined(separator: "\n    ")
    let declaration = try read(
      """
      client: { base_url: https://api.example.org, paginator: \(paginator) }
      resource_defaults: { primary_key: id }
      resources:
        - \(lines)
      """)
    return try #require(declaration.resources.first)
  }

  /// Reads a source with the resource `posts` and a child, which is declared by `yaml` as in `resource`.
  static func child(_ yaml: String, posts: String = "primary_key: id") throws -> Declaration.Resource {
    let lines = yaml.split(separator: "\n").joined(separator: "\n    ")
    let declaration = try read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resource_defaults: { primary_key: id }
      resources:
        - { name: posts, \(posts) }
        - \(lines)
      """)
    return try #require(declaration.resources.last)
  }
}

extension Declaration.Lists {
  var summary: String {
    switch self {
    case .values(let name, let values): "\(name): \(values.joined(separator: ", "))"
    case .parent(let parent): parent.summary
    }
  }
}

extension Declaration.Parent {
  var summary: String {
    func text(_ paths: [[String]]) -> String { paths.map { $0.joined(separator: ".") }.joined(separator: ", ") }
    var parts = ["\(resource): \(text(members))"]
    if !included.isEmpty { parts.append("with \(text(included))") }
    if identifies { parts.append("identifies") }
    if let refresh {
      parts.append("refreshes \(refresh.member.map { text([$0]) } ?? "changed"), \(refresh.every.configured)")
    }
    if vanishesWithParent { parts.append("vanishes") }
    return parts.joined(separator: "; ")
  }
}

extension Declaration.Resource {
  var query: String { parameters.map { "\($0.name)=\($0.value.shown)" }.joined(separator: "&") }

  var walk: String { "\(method) of \(pageSize)" }

  private var method: String { isCatalogue ? "catalogue" : paginator.isChain ? "chain" : "list" }
}

extension DeclaredTable.Column {
  var summary: String { "\(name) \(path.joined(separator: ".")) \(type.name)" }
}

extension Declaration.Auth {
  var summary: String {
    switch self {
    case .bearer(let token): "bearer \(token.shown)"
    case .basic(let user, let password): "basic \(user.shown), \(password.shown)"
    case .header(let name, let key): "header \(name) \(key.shown)"
    case .query(let name, let key): "query \(name) \(key.shown)"
    case .oauth(let oauth): oauth.summary
    }
  }
}

extension Declaration.OAuth {
  var summary: String {
    let texts =
      [clientID, clientSecret, refreshToken].map { $0?.shown ?? "-" } + data.map { "\($0.name)=\($0.value.shown)" }
    return "\(type) \(url) \(texts.joined(separator: ", "))"
      + (usesBasic ? " basic" : "") + (replacesRefreshToken ? " replaced" : "") + " \(lifetime.configured)"
  }
}

extension Declaration.Paginator {
  var summary: String {
    switch self {
    case .pageNumber(let pages): pages.summary
    case .offset(let places): places.summary
    case .jsonLink(let next): "link \(next.joined(separator: "."))"
    case .headerLink(let relation): "header \(relation)"
    case .cursor(let path, let place): "\(place.text) from \(path.joined(separator: "."))"
    case .lastItem(let path, let place): "\(place.text) from the last item's \(path.joined(separator: "."))"
    case .single: "single"
    }
  }
}

extension Declaration.Paginator.Place {
  var text: String {
    switch self {
    case .parameter(let name): name
    case .body(let path): "body \(path.joined(separator: "."))"
    }
  }
}

extension Declaration.Paginator.Numbered {
  var summary: String {
    var parts = ["\(place.text)=\(base)", "\(limitPlace?.text ?? "size")=\(limit.map(String.init) ?? "?")"]
    if let total { parts.append("total \(total.joined(separator: "."))") }
    if let hasMore { parts.append("more \(hasMore.joined(separator: "."))") }
    return parts.joined(separator: ", ")
  }
}
