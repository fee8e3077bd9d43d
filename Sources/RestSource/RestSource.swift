import Foundation
import SyncCore
import SyncEngine
import SyncPostgres
import SyncProgram
import SyncWeb

/// A source that the configuration declares.
struct RestSource: Source {
  private(set) var declaration: Declaration
  let definition: SourceDefinition
  private let baseURL: Setting<String>
  private let rateLimits: Setting<[RateWindow]>
  private let secrets: SecretReader
  /// Whether requests have the declared headers, tokens and secret parameters. A server of a recording needs none.
  private let sendsSecrets: Bool
  /// The access tokens of `auth` with OAuth 2.0. All requests of the process share them. `nil` without such tokens.
  private let tokens: AccessTokens?

  init(_ declaration: Declaration, in folder: String, _ settings: SourceSettings) throws(SyncError) {
    definition = settings.definition
    let secrets = SecretReader(id: declaration.id, environment: settings.environment, folder: folder)
    self.secrets = secrets
    baseURL =
      try settings.text("base_url").map { (configured) throws(SyncError) in
        Setting(
          try Origin.checked(configured, settings.path("base_url"), example: declaration.baseURL), configured.origin)
      } ?? Setting(declaration.baseURL, settings.fileOrigin)
    guard
      baseURL.value == declaration.baseURL || baseURL.value.hasPrefix("https://") || Origin.isLoopback(baseURL.value)
    else {
      throw SyncError(
        .configuration, "\(baseURL.origin): \(settings.path("base_url")) sends requests without encryption",
        hint: "use https")
    }
    if let given = try settings.text(SourceSettings.secretsKey) {
      guard given.value == "none", Origin.isLoopback(baseURL.value) else {
        throw SyncError(
          .configuration, "\(given.origin): the value must be none, and the base URL must be on this machine",
          hint: "remove it; it is for the servers of upstream-sim --recorded")
      }
      sendsSecrets = false
    } else {
      sendsSecrets = true
    }
    tokens =
      if sendsSecrets, case .oauth(let oauth)? = declaration.auth {
        AccessTokens(of: oauth, secrets)
      } else {
        nil
      }
    rateLimits = try settings.rateLimits(
      of: baseURL.value, standard: [RateWindow(requests: 1, interval: .seconds(1))], declared: declaration.rateLimits)
    self.declaration = declaration
    self.declaration.baseURL = baseURL.value
  }

  var settings: [ShownSetting] {
    let auth: String? =
      switch declaration.auth {
      case .bearer(let token): "bearer, token \(token.shown)"
      case .basic(_, let password): "http_basic, password \(password.shown)"
      case .header(let name, let key): "header \(name), \(key.shown)"
      case .query(let name, let key): "parameter \(name), \(key.shown)"
      case .oauth(let oauth): oauth.shown
      case nil: nil
      }
    return [
      ShownSetting("sources.\(id).base_url", baseURL.value, baseURL.origin),
      ShownSetting("sources.\(id).rate_limits", rateLimits),
      ShownSetting(
        "sources.\(id).auth", sendsSecrets ? auth ?? "none" : "none, because secrets is none", baseURL.origin,
        isText: false),
      ShownSetting("sources.\(id).resources", names: declaration.resources.map(\.name), baseURL.origin),
    ]
  }

  func streamNames(_ word: String) throws(SyncError) -> [String] {
    guard knowsStream(word) else {
      throw SyncError(
        .usage, "\(id) has no stream \(Excerpt.of(word, scalars: 60))",
        hint: Suggestion.hint(for: word, among: suggestions(for: word)))
    }
    return [word]
  }

  func knowsStream(_ word: String) -> Bool { declaration.resources.contains { $0.name == word } }
  func expectsItems(_ stream: String) -> Bool {
    !declaration.resources.contains { $0.name == stream && $0.incremental != nil }
  }
  func suggestions(for word: String) -> [String] { declaration.resources.map(\.name) }
  func description(of stream: String) -> StreamDescription? {
    declaration.resources.first { $0.name == stream }.map { RestStream($0, of: declaration).description }
  }
  var defaultStreams: [String]? { declaration.resources.map(\.name) }

  var services: [Service] {
    let isDefault = rateLimits.origin == .standard && !rateLimits.value.isEmpty
    return [
      Service(
        "\(id):", baseURL: baseURL.value, limits: rateLimits.value,
        remark: isDefault ? "the default; set rate_limits to what the service permits" : nil)
    ]
  }

  func probe() throws(SyncError) -> Probe {
    let now = Int64(Date().timeIntervalSince1970)
    let first = declaration.resources[0].dated(at: now)
    let stream = RestStream(
      first, of: declaration, lists: try first.firstList(now: now), additions: try additions(of: first))
    return Probe(of: stream, limits: rateLimits.value, tokens: tokens) { page in
      "\(stream.description.id) answers, \(HumanFormat.counted(page.entries.count, "item")) on its first page"
    }
  }

  func mirror(_ selection: StreamSelection, _ run: inout SourceRun) async throws {
    let now = run.now
    var resources = declaration.resources.map { $0.dated(at: now) }
    if case .named(let names) = selection { resources = resources.filter { names.contains($0.name) } }
    let full = resources.map { RestStream($0, of: declaration).description }
    let recorded = try await DeclaredSchema.recorded(of: id, walked: full, in: run.database)
    for resource in resources { try DeclaredSchema.expect(resource.table, among: recorded) }
    let beginnings = try beginnings(of: resources, recorded, readsAll: run.isFull || run.isConfirmed)
    let fetcher = run.fetcher(for: baseURL.value, limits: rateLimits.value, tokens: tokens)
    for resource in resources {
      let since = beginnings[resource.name]
      var lists: [StreamList]?
      if let declared = resource.lists {
        lists = try await self.lists(declared, of: resource, &run)
        guard lists != nil else { continue }
      } else {
        lists = try resource.incremental?.windows(since: since, now: now)
        if let lists { run.announce(lists.count, unchanged: 0, of: streamID(resource), within: rateLimits.value) }
      }
      let stream = RestStream(
        resource, of: declaration, since: since, lists: lists, additions: try additions(of: resource))
      try await run.update([stream], with: fetcher)
    }
  }

  private func streamID(_ resource: Declaration.Resource) -> StreamID { StreamID(source: id, name: resource.name) }

  /// Returns the lists of a resource that has several, and announces the number of requests. If the parent was never
  /// mirrored, returns `nil` and adds this reason to the run.
  private func lists(
    _ declared: Declaration.Lists, of resource: Declaration.Resource, _ run: inout SourceRun
  ) async throws -> [StreamList]? {
    let description = RestStream(resource, of: declaration).description
    let lists: [StreamList]
    var unchanged = 0
    switch declared {
    case .values(_, let values):
      lists = values.map { StreamList(name: $0, values: [$0]) }
    case .parent(let parent):
      guard let parentResource = declaration.resources.first(where: { $0.name == parent.resource }) else { return nil }
      let parentLists = ParentLists(
        of: parentResource.table, isLookedUp: parentResource.lookup != nil,
        members: parent.members.map(parentResource.memberForChildren), identifies: parent.identifies,
        refresh: parent.refresh.map { ParentLists.Refresh(member: $0.member, every: $0.every) })
      let loaded = try await parentLists.load(
        for: description, requestsAll: run.isFull || run.isConfirmed, in: run.database)
      guard let loaded else {
        run.refuse(
          description.id,
          because: SyncError(
            .missing,
            "\(description.id) has a list for each item of \(id)/\(parent.resource), which is not mirrored yet",
            hint: "syncctl run --source \(id) --stream \(parent.resource) mirrors it"))
        return nil
      }
      unchanged = loaded.count { !$0.isRequested }
      lists = loaded.map { list in
        let hasValues = list.values.count == parent.members.count + (parent.identifies ? resource.parentKey.count : 0)
        return hasValues && resource.canBeFilled(with: list.values) ? list : list.withoutRequest
      }
      warn(of: lists, instead: loaded, parent, description.id, run)
    }
    let requests = lists.count(where: \.isRequested)
    run.announce(requests, unchanged: unchanged, of: description.id, within: rateLimits.value)
    return lists
  }

  /// Warns of parent items whose lists cannot be requested.
  private func warn(
    of lists: [StreamList], instead loaded: [StreamList], _ parent: Declaration.Parent, _ stream: StreamID,
    _ run: SourceRun
  ) {
    let lost = zip(lists, loaded).count { list, loaded in loaded.isRequested && !list.isRequested }
    guard lost > 0 else { return }
    let members = parent.members.map { $0.joined(separator: ".") }.joined(separator: ", ")
    run.warn(
      "\(stream): \(HumanFormat.counted(lost, "item")) of \(parent.resource) without a usable \(members): "
        + "their lists are not requested")
  }

  /// Returns for each resource whose next walk is incremental the value that the walk sends.
  /// - Parameter readsAll: Whether the user asked for walks of whole lists.
  /// - Throws: `SyncError` `.configuration` if an incremental walk could miss changes, before the run walks a list.
  private func beginnings(
    of resources: [Declaration.Resource], _ recorded: [DeclaredSchema.Recorded], readsAll: Bool
  ) throws(SyncError) -> [String: String] {
    var beginnings: [String: String] = [:]
    guard !readsAll else { return beginnings }
    for resource in resources {
      guard let incremental = resource.incremental,
        let stored = recorded.first(where: { $0.resource == resource.name }),
        let cursor = stored.cursor.flatMap(IncrementalCursor.init(json:))
      else { continue }
      let since: String
      do {
        since = try incremental.since(after: cursor)
      } catch {
        throw SyncError(.configuration, "\(id): \(resource.name): \(error.message)", hint: error.hint)
      }
      if stored.hasFull, let age = stored.fullAge, .seconds(age) < incremental.fullEvery {
        beginnings[resource.name] = since
      }
    }
    return beginnings
  }

  /// - Throws: `SyncError` `.configuration` if a secret is missing.
  func additions(of resource: Declaration.Resource) throws(SyncError) -> RequestAdditions {
    var additions = RequestAdditions()
    guard sendsSecrets else { return additions }
    var secrets: [String] = []
    var suspects: [String] = []
    func read(_ text: DeclaredText, canBeShort: Bool = false) throws(SyncError) -> String {
      try text.parts.map { (part) throws(SyncError) in
        let value = try self.secrets.read(part, canBeShort: canBeShort)
        if part.isSecret { secrets.append(value) }
        return value
      }.joined()
    }
    for (name, text) in resource.headers {
      let value = try read(text)
      additions.headers[name] = value
      if text.isLikelySecret(named: name) { suspects.append(value) }
    }
    var query: [(String, String)] = []
    switch declaration.auth {
    case .bearer(let token): additions.headers["Authorization"] = "Bearer \(try read(token))"
    case .basic(let user, let password):
      let pair = "\(try read(user, canBeShort: true)):\(try read(password))"
      let encoded = Data(pair.utf8).base64EncodedString()
      additions.headers["Authorization"] = "Basic \(encoded)"
      if user.isSecret || password.isSecret { secrets.append(encoded) }
      if user.isLikelySecret(named: "username") { suspects += [try read(user), encoded] }
    case .header(let name, let key): additions.headers[name] = try read(key)
    case .query(let name, let key): query.append((name, try read(key)))
    case .oauth(let oauth):
      // A missing secret is an error before the first request, and the service can repeat each secret.
      for text in oauth.texts where text.isSecret { _ = try read(text, canBeShort: text == oauth.clientID) }
      if !resource.headers.values.contains(where: \.hasAccessToken) {
        additions.headers["Authorization"] = "Bearer \(AccessToken.placeholder)"
      }
    case nil: break
    }
    for parameter in resource.parameters where parameter.isHidden {
      let value = try read(parameter.value)
      query.append((parameter.name, value))
      if !parameter.value.isSecret { suspects.append(value) }
    }
    if !query.isEmpty { additions.query = HTTPAddress.query(query.map { (name: $0.0, value: $0.1) }) }
    additions.mask = SecretMask(secrets.distinct(), suspects: suspects.distinct(), learned: tokens?.secrets)
    return additions
  }

  /// Sends a single request for a waiting user.
  func response(to request: UpstreamRequest) async throws -> UpstreamResponse {
    try await Inquiry.response(to: request, tokens: tokens)
  }

  var web: WebPart { RestPages(declaration: declaration).part }
}

extension AccessTokens {
  fileprivate init(of oauth: Declaration.OAuth, _ reader: SecretReader) {
    let secrets = LearnedSecrets()
    let clock = SystemClock()
    self.init(
      OAuthGrant(oauth: oauth, reader: reader, secrets: secrets, clock: clock), secrets: secrets, clock: clock)
  }
}

extension Declaration.OAuth {
  /// The texts that a request for a token sends, in the order of the declaration.
  fileprivate var texts: [DeclaredText] {
    [clientID, clientSecret, refreshToken].compactMap(\.self) + data.map(\.value)
  }

  fileprivate var shown: String {
    let parts = [("client_secret", clientSecret), ("refresh_token", refreshToken)].compactMap { name, text in
      text.map { "\(name) \($0.shown)" }
    }
    return "\(type) at \(url)" + parts.map { ", \($0)" }.joined()
  }
}

struct RestMapping: DocumentMapping {
  let name: String
  let sql: StreamSQL
  private let reader: RestReader
  var version: Int { RestReader.mappingVersion }

  init(_ resource: Declaration.Resource) {
    name = resource.table.name
    sql = resource.table.sql()
    reader = RestReader(resource)
  }

  func read(_ document: [UInt8], key: Int64) -> Page.Entry { reader.stored(document) }
}
