import ArgumentParser
import Foundation
import SyncCore
import SyncProgram

extension SourceCommand {
  struct Draft: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read a list's first pages and write a commented declaration.",
      discussion: """
        Requests the list and up to 12 further pages, and names these requests in the declaration. A paginator is \
        written if its second page has other items. If no request finds the next page of a list that goes on, the \
        declaration contains a question, which check and run refuse until you answer it.

        A key in the address becomes a variable of the environment. {env:NAME} in a header or password is the value \
        of a variable. The variable SYNCCTL_DRAFT_TOKEN is sent as a bearer token.

        Examples:
          syncctl source draft 'https://api.example.org/v2/products?per_page=100' > shop.yaml
          syncctl source draft https://api.example.org/orders --header 'X-Api-Key: {env:SHOP_KEY}' > shop.yaml
          syncctl source draft https://api.example.org/orders --basic 'ann:{env:SHOP_PASSWORD}' > shop.yaml
        """)

    @Argument(help: "The address of a list's first page.")
    var url: String

    @Option(help: "The source's name (default: from the address).")
    var name: String?

    @Option(
      name: .customLong("header"), parsing: .singleValue,
      help: ArgumentHelp("A header of each request; repeatable.", valueName: "name: value"))
    var headers: [String] = []

    @Option(help: ArgumentHelp("The user and the password for HTTP Basic.", valueName: "user:{env:name}"))
    var basic: String?

    func run() async throws {
      let address = try address()
      let id = Self.identifier(name ?? Self.label(of: address.host ?? ""))
      let credentials = try credentials(address, id, ProcessInfo.processInfo.environment)
      let request = Self.request(address, credentials)
      let response = try await Self.response(to: request)
      guard response.status == 200 else { throw Self.error(response, to: request) }

      let page = try DraftPage(response)
      let draft = DeclarationDraft(id, address, page, credentials)
      var search = PaginatorSearch(draft) { try await Self.response(to: $0) }
      let finding = try await search.find()
      let streams = StandardStreams()
      try streams.print(rendered: draft.text(search, finding))
      for variable in credentials.typedVariables {
        streams.warn("the key of the address is not written; set the variable \(variable) to it before check and run")
      }
      if let warning = search.warning { streams.warn(warning) }
      if case .question(let reason, _) = finding {
        streams.warn("paginator is a question in the declaration, and you must answer it: \(reason)")
      }
      if !draft.hasSureKey { streams.warn("primary_key is a question in the declaration, and you must answer it") }
    }

    private func address() throws(SyncError) -> URLComponents {
      guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
        ["http", "https"].contains(parts.scheme)
      else {
        throw SyncError(
          .usage, "\(Excerpt.of(url)) is not an address", hint: "give one such as https://api.example.org/products")
      }
      guard parts.user == nil, parts.password == nil else {
        throw SyncError(
          .usage, "the address has a user or a password", hint: "write --basic 'USER:{env:SHOP_PASSWORD}' instead")
      }
      guard parts.scheme == "https" || Origin.isLoopback(url) else {
        throw SyncError(.usage, "\(Excerpt.of(url)) sends the request without encryption", hint: "use https")
      }
      return parts
    }

    private func credentials(
      _ address: URLComponents, _ id: String, _ environment: [String: String]
    ) throws(SyncError) -> DraftCredentials {
      var credentials = DraftCredentials()
      if let token = environment["SYNCCTL_DRAFT_TOKEN"], !token.isEmpty {
        credentials.addToken(token, variable: "\(id.uppercased())_TOKEN")
      }
      if let basic { try credentials.addBasic(basic, environment) }
      for header in headers { try credentials.addHeader(header, environment) }
      for item in address.queryItems ?? [] where DraftCredentials.isSecretParameter(item.name) {
        guard let value = item.value, !value.isEmpty else { continue }
        credentials.addTyped(item.name, value, variable: "\(id)_\(Self.identifier(item.name))".uppercased())
      }
      return credentials
    }

    /// The typed request. Its address has no secrets, so messages can show it.
    static func request(_ address: URLComponents, _ credentials: DraftCredentials) -> UpstreamRequest {
      var shown = address
      shown.fragment = nil
      shown.percentEncodedQueryItems = address.percentEncodedQueryItems?.filter { item in
        !DraftCredentials.isSecretParameter(item.name.removingPercentEncoding ?? item.name)
      }
      if shown.percentEncodedQueryItems?.isEmpty == true { shown.query = nil }
      var request = UpstreamRequest(url: shown.string ?? "")
      request.additions = credentials.additions
      return request
    }

    /// - Throws: `SyncError` if the service refuses more requests.
    private static func response(to request: UpstreamRequest) async throws -> UpstreamResponse {
      let response = try await Inquiry.response(to: request)
      guard response.status != 429 else { throw error(response, to: request) }
      return response
    }

    private static func error(_ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
      let error = RestAnswer.error(response, to: request)
      let hasCredentials = request.additions != RequestAdditions()
      guard response.status == 401 || response.status == 403, !hasCredentials else {
        return error.hidingSecrets(of: request)
      }
      return SyncError(
        error.code, error.message,
        hint:
          "give the key: --header 'X-Api-Key: {env:NAME}', --basic 'USER:{env:NAME}', or a token in SYNCCTL_DRAFT_TOKEN"
      )
    }

    /// The part of a host that names the service.
    static func label(of host: String) -> String {
      let label = host.split(separator: ".").last {
        !["com", "org", "net", "io", "co", "dev", "app", "api", "moe"].contains($0)
      }
      return label.map(String.init) ?? "source"
    }

    /// A name for a source or a resource.
    static func identifier(_ text: String) -> String {
      let plain = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      let name = String(plain.drop { !$0.isLetter }.prefix(31))
      return name.isEmpty || DeclaredName.reserved.contains(name) ? String("source\(name)".prefix(31)) : name
    }
  }
}
