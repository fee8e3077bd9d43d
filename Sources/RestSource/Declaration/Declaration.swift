import JSONScan
import SyncCore
import SyncPostgres

/// A source that a file declares, with the names of dlt's `rest_api` source.
struct Declaration: Sendable {
  let id: SourceID
  /// Without a final slash.
  var baseURL: String
  /// `nil` for the default limits.
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

  /// A list of the service, or several lists, which are one stream and one table.
  struct Resource: Sendable {
    var table: DeclaredTable
    /// With placeholders of `ListPlaceholder` if the resource has several lists.
    let path: String
    /// The headers of `client` and of the resource's `endpoint`.
    let headers: [String: DeclaredText]
    /// The body of POST requests; `nil` for GET.
    var body: RequestBody?
    /// In the order of the file.
    var parameters: [Parameter]
    let selector: [JSONScan.Step]
    let paginator: Paginator
    let chain: ChainRules
    /// In the order of the file: the first action that fits an answer counts.
    let actions: [ResponseAction]
    /// The path of the claimed number of items.
    let total: [String]?
    let isOrdered: Bool
    let lookup: Lookup?
    let incremental: Incremental?
    /// The lists of a resource that has several; `nil` if it has one.
    var lists: Lists?
    /// The member that each item gets with the name that the last `.*` of `selector` followed (`key_as`).
    var keyAs: String?
    /// The members that each item gets with the key of its list's parent (`identity: with_parent`), in the order of the
    /// parent's key. They are the first members of `table.key`. Empty without `identity: with_parent`.
    var parentKey: [String] = []

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
    /// The text with its placeholders; `nil` without a placeholder. `value` then shows this text.
    var template: TextTemplate?

    /// Whether the value is a text of the file that can be a secret.
    var isLikelySecret: Bool { template == nil && value.isLikelySecret(named: name) }

    /// Whether the value is, or can be, a secret. Addresses that are shown, stored and recorded do not have it.
    var isHidden: Bool { template == nil && (value.isSecret || isLikelySecret) }
  }
}
