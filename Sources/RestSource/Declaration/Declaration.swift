import JSONScan
import SyncCore
import SyncPostgres

/// A source that a file declares, with the names of dlt's `rest_api` source.
struct Declaration: Sendable {
  let id: SourceID
  /// Without a final slash.
  var baseURL: String
  /// `nil` for the default.
  let rateLimits: String?
  let headers: [String: DeclaredText]
  let auth: Auth?
  let resources: [Resource]

  /// The authentication of each request. A text can be a secret, so it is never shown.
  enum Auth: Sendable {
    case bearer(DeclaredText)
    case basic(DeclaredText, DeclaredText)
    case header(String, DeclaredText)
    case query(String, DeclaredText)
    case oauth(OAuth)

    /// The query parameter whose value is a secret.
    var parameter: String? { if case .query(let name, _) = self { name } else { nil } }
  }

  /// How access tokens are requested (RFC 6749).
  struct OAuth: Sendable {
    /// An https address, or one of this machine.
    let url: String
    let clientID: DeclaredText?
    let clientSecret: DeclaredText?
    /// Whether the client's id and secret are sent as HTTP Basic instead of in the form.
    let usesBasic: Bool
    /// `nil` for the grant `client_credentials`.
    let refreshToken: DeclaredText?
    /// Whether the service replaces the refresh token, so that its file is rewritten.
    let replacesRefreshToken: Bool
    /// More members of the form. They replace members of the same name.
    let data: [Parameter]
    /// The lifetime of a token whose answer states none.
    let lifetime: Duration

    var type: String { refreshToken == nil ? "oauth2_client_credentials" : "oauth2_refresh_token" }
  }

  /// A list of the service, which is one stream and one table.
  struct Resource: Sendable {
    var table: DeclaredTable
    let path: String
    /// The body of POST requests; `nil` for GET.
    let body: RequestBody?
    /// In the order of the file.
    var parameters: [Parameter]
    let selector: [JSONScan.Step]
    let paginator: Paginator
    let chain: ChainRules
    /// The path of the claimed number of items.
    let total: [String]?
    let isOrdered: Bool
    let lookup: Lookup?
    let incremental: Incremental?

    var name: String { table.resource }

    /// The names at the beginning of `selector`, which lead to the list or to an object around it.
    var listPath: [String] {
      var names: [String] = []
      for case .member(let name) in selector.prefix(while: { if case .member = $0 { true } else { false } }) {
        names.append(name)
      }
      return names
    }
  }

  /// A parameter of a query, or a member of a form.
  struct Parameter: Sendable {
    let name: String
    var value: DeclaredText
    /// The text from which `value` is computed when a run begins.
    var template: DateTemplate?

    /// Whether the value is, or can be, a secret. Addresses that are shown, stored and recorded do not have it.
    var isHidden: Bool { template == nil && (value.isSecret || value.isLikelySecret(named: name)) }
  }

  /// The way in which a list names its pages.
  enum Paginator: Sendable {
    case pageNumber(Numbered)
    case offset(Numbered)
    case jsonLink(next: [String])
    case headerLink(relation: String)
    case cursor(path: [String], place: Place)
    /// The next page continues after this member of the last item.
    case lastItem(path: [String], place: Place)
    case single

    /// Where a request has a value of the paginator.
    enum Place: Sendable, Equatable {
      case parameter(String)
      /// A member of the body.
      case body([String])
    }

    /// A paginator that counts pages or items.
    struct Numbered: Sendable {
      let place: Place
      /// The number of the first page, or of the first item.
      let base: Int
      /// The place of the number of items in a page; `nil` if the service has none.
      let limitPlace: Place?
      let limit: Int?
      let total: [String]?
      let hasMore: [String]?
    }

    /// The path of the member that has the address of the next page.
    var nextLink: [String]? { if case .jsonLink(let next) = self { next } else { nil } }

    var isChain: Bool {
      switch self {
      case .jsonLink, .headerLink, .cursor, .lastItem: true
      case .pageNumber, .offset, .single: false
      }
    }
  }

  /// What the declaration says about the pages of a chain, besides the next page's place.
  struct ChainRules: Sendable, Equatable {
    /// The path of the member that says whether another page follows.
    var hasMore: [String]?
    /// Whether each page continues after the last item's key (`cursor: by_key`), so that the walk has evidence although
    /// it cannot read the cursors.
    var isByKey = false
    /// Whether only the path and the query of a next page's link count, because the service writes another scheme, host
    /// or port than `base_url` (`next_link: { keep: path }`).
    var keepsOrigin = false

    /// The part of a walk's parameters. The claims of stored pages depend on it.
    var parameter: String { "more \(hasMore ?? []) keys" + (keepsOrigin ? ", next_link keeps the path" : "") }
  }

  /// The request for a single item, by the members of its key.
  struct Lookup: Sendable {
    /// Members of the key are in braces: `products/{id}`.
    let path: String
    let selector: [String]

    /// The names in braces. Not from a regular expression, which would need the square of the number of braces.
    var names: [String] {
      path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
        part.firstIndex(of: "}").map { String(part[..<$0]) }
      }
    }

    /// The path of an item.
    func path(of members: [String: String]) -> String {
      var parts = path.split(separator: "{", omittingEmptySubsequences: false)[...]
      var filled = parts.popFirst().map(String.init) ?? ""
      for part in parts {
        let end = part.firstIndex(of: "}")
        let member = end.flatMap { members[String(part[..<$0])] }
        filled += member.flatMap { member in end.map { member + part[part.index(after: $0)...] } } ?? "{" + part
      }
      return filled
    }
  }

  /// The rules for walks that request only items that changed since the last walk.
  struct Incremental: Sendable {
    let parameter: String
    /// The path of the member that grows with each change of an item.
    let cursor: [String]
    let initial: String?
    /// How much earlier than the cursor an incremental walk begins.
    let lag: Duration
    /// The age of the last walk of the whole list from which the next walk reads the whole list again.
    let fullEvery: Duration
  }
}

/// A text that the file contains, or that it names so that nobody reads it in the file.
enum DeclaredText: Sendable, Equatable {
  case literal(String)
  case variable(String)
  case file(String)
  /// Texts of the other kinds, one after another: `Token {env:SHOP_KEY}`.
  case joined([DeclaredText])

  var isSecret: Bool {
    switch self {
    case .literal: false
    case .variable, .file: true
    case .joined(let parts): parts.contains(where: \.isSecret)
    }
  }

  /// The text itself, or the texts that it consists of.
  var parts: [DeclaredText] { if case .joined(let parts) = self { parts } else { [self] } }

  var shown: String {
    switch self {
    case .literal(let text): text
    case .variable(let name): "from the variable \(name)"
    case .file(let path): "from the file \(path)"
    case .joined(let parts): parts.map { $0.isSecret ? "(\($0.shown))" : $0.shown }.joined()
    }
  }

  /// Returns the text that a request sends.
  /// - Parameters:
  ///   - canBeShort: Whether a text that the file does not contain can have fewer characters than a secret, as the name
  ///     of a user.
  ///   - contents: Returns the text of a file, or `nil` if the file is not a text of a usable size.
  /// - Throws: `SyncError` `.configuration` that never contains the text.
  func read(
    _ environment: [String: String], canBeShort: Bool = false, _ contents: (String) -> String?
  ) throws(SyncError) -> String {
    if case .joined(let parts) = self {
      return try parts.map { (part) throws(SyncError) in
        try part.read(environment, canBeShort: canBeShort, contents)
      }.joined()
    }
    let (text, place): (String?, String) =
      switch self {
      case .joined: (nil, "")
      case .literal(let text): (text, "")
      case .variable(let name): (environment[name], "the variable \(name)")
      case .file(let path): (contents(path)?.trimmingBlanks, "the file \(path)")
      }
    if !isSecret { return text ?? "" }
    guard let text, !text.isEmpty else {
      throw SyncError(
        .configuration, "\(place) has no secret",
        hint: "set it to the key or token that the service has given you, at most 64 KiB in a regular file",
        disposition: .stopRun)
    }
    guard canBeShort || text.count >= SecretMask.shortestSecret else {
      throw SyncError(
        .configuration, "\(place) has fewer than \(SecretMask.shortestSecret) characters, which is no secret",
        hint: "write a text that is no secret into the declaration, such as password: x", disposition: .stopRun)
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw SyncError(
        .configuration, "\(place) has a control character", hint: "give a key or token of one line",
        disposition: .stopRun)
    }
    return text
  }
}

extension String {
  /// The text without the underscores at its end.
  fileprivate var trimmedUnderscores: String {
    String(prefix(count - reversed().prefix { $0 == "_" }.count))
  }
}

/// The rules for names that become names of schemas, tables and columns.
enum DeclaredName {
  static func isTable(_ name: String) -> Bool { name.wholeMatch(of: /[a-z][a-z0-9_]{0,30}/) != nil }

  static func isColumn(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-z_][a-z0-9_]{0,61}/) != nil && !columns.contains(name)
  }

  /// Column names that each declared table, PostgreSQL, or the statements of every table already have.
  private static let columns: Set<String> = [
    "syncctl_key", "raw", "content_hash", "first_seen_at", "requested_at", "changed_at", "vanished_at", "counter_hash",
    "counters_changed_at", "position", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
  ]

  /// PostgreSQL has at most 1,600 columns in a table, and each declared table has seven of its own.
  static let maximalColumns = 1_593

  /// Returns the column of a member: its own name if that is valid, and otherwise its name in dlt's naming convention
  /// `snake_case` (`objectID` → `object_id`, `item-id` → `item_id`, `attributes.id` → `attributes__id`). The result can
  /// be a name that `isColumn` refuses.
  /// Source: https://dlthub.com/docs/general-usage/naming-convention
  /// - Parameter path: The names of the members, from the item.
  static func column(of path: [String]) -> String {
    if path.count == 1, isColumn(path[0]) { return path[0] }
    return path.map(snakeCase).filter { !$0.isEmpty }.joined(separator: "__")
  }

  private static let reducedAlphabet: [Character: Character] = [
    "+": "x", "-": "_", "!": "l", "$": "s", "*": "x", "@": "a", "#": "h", "=": "_", "|": "l", ":": "i",
  ]

  private static func snakeCase(_ name: String) -> String {
    var text = String(name.trimmingBlanks.map { reducedAlphabet[$0] ?? $0 })
    text = text.replacing(/[^a-zA-Z0-9_]+/, with: "_")
    text = text.replacing(/([^_])([A-Z][a-z]+)/) { "\($0.output.1)_\($0.output.2)" }
    text = text.replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1)_\($0.output.2)" }.lowercased()
    if text.first?.isNumber == true { text = "_" + text }
    let kept = text.trimmedUnderscores
    text = kept + String(repeating: "x", count: text.count - kept.count)
    return text.replacing(/_+/, with: "_")
  }

  static let tables: Set<String> = ["favorite_item", "favorite_history", "grant_rights"]

  /// Words that PostgreSQL does not accept as names of tables (keywords that are reserved, or that name functions).
  static let reserved = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation \
    column concurrently constraint create cross current_catalog current_date current_role current_schema \
    current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for \
    foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral \
    leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps \
    placing primary references returning right select session_user similar some symmetric system_user table \
    tablesample then to trailing true union unique user using variadic verbose when where window with
    """.split(separator: " ").map(String.init))

  /// Schemas of PostgreSQL and of syncctl.
  static let schemas: Set<String> = ["public", "information_schema", "sync", "app", "report"]
}
