import SyncCore

/// Writes the declaration of a manifest, as far as a declaration has the manifest's features.
struct ManifestImport {
  /// `nil` if no stream can be a resource.
  let declaration: ImportedDeclaration?
  /// The parts that the declaration does not have, in the order of the manifest's lines.
  let remarks: [ImportRemarks.Remark]
  /// The number of streams in the manifest, with the parents that only other streams name.
  let streamCount: Int
  /// The number of resources about which no remark says anything.
  let wholeCount: Int

  /// - Parameter id: The source's name; `nil` for the name of the service's host.
  init(_ manifest: Manifest, id: String?) {
    let found = ImportedStreams(manifest)
    streamCount = found.streams.count
    let id = id ?? Self.identifier(found.streams.map(\.part))
    let context = ImportContext(
      id: id, spec: ManifestSpec(manifest), names: ImportedNames(found.streams.map(\.name)))

    var remarks = found.remarks
    var streams: [ImportedStream] = []
    for (name, part) in found.streams {
      var stream = StreamImport(part, name: name, context: context, remarks: remarks)
      if let imported = stream.imported() { streams.append(imported) }
      remarks = stream.remarks
    }
    Self.removeOrphans(&streams, context.names, &remarks)

    guard let client = ImportedClient(streams, &remarks) else {
      declaration = nil
      self.remarks = remarks.sorted
      wholeCount = 0
      return
    }
    streams = client.streams
    Self.removeOrphans(&streams, context.names, &remarks)
    Self.includeMembers(&streams)
    let declaration = ImportedDeclaration(
      id: id,
      file: manifest.file,
      baseURL: client.baseURL,
      rateLimits: ImportedLimits.text(manifest, &remarks),
      auth: client.auth.members,
      headers: client.headers,
      lacksAuth: client.auth.isMissing,
      resources: streams.map(\.resource))
    Self.add(declaration.refusals(), of: streams, &remarks)
    self.declaration = declaration
    self.remarks = remarks.sorted
    let concerned = remarks.streams
    wholeCount = streams.count { !concerned.contains($0.name) }
  }

  /// Removes the streams whose parent is not written.
  private static func removeOrphans(
    _ streams: inout [ImportedStream], _ names: ImportedNames, _ remarks: inout ImportRemarks
  ) {
    while true {
      let written = Set(streams.map(\.resource.name))
      let orphans = streams.filter { stream in stream.resource.parent.map { !written.contains($0) } ?? false }
      guard !orphans.isEmpty else { return }
      for orphan in orphans {
        let parent = names.resources.first { $0.value == orphan.resource.parent }?.key ?? ""
        remarks.add(
          orphan.line, orphan.name,
          "the stream is not written: its parent \(Excerpt.of(parent, scalars: 60)) is not written",
          "declare the parent by hand, and then the stream")
      }
      streams.removeAll { stream in orphans.contains { $0.name == stream.name } }
    }
  }

  /// Adds the members that children need from their parent's own parent.
  private static func includeMembers(_ streams: inout [ImportedStream]) {
    for child in streams {
      for member in child.resource.membersForParent {
        guard let index = streams.firstIndex(where: { $0.resource.name == child.resource.parent }),
          !streams[index].resource.included.contains(member)
        else { continue }
        streams[index].resource.included.append(member)
      }
    }
  }

  private static func add(
    _ refusals: [ImportedDeclaration.Refusal], of streams: [ImportedStream], _ remarks: inout ImportRemarks
  ) {
    for refusal in refusals {
      let stream = streams.first { $0.resource.name == refusal.resource }
      remarks.add(
        stream?.line ?? 1, stream?.name, "what was written is refused: \(refusal.problem)", refusal.advice)
    }
  }

  /// The name of a source from the host of the first stream with one.
  private static func identifier(_ streams: [ManifestPart]) -> String {
    for stream in streams {
      guard let requester = stream.member(["retriever", "requester"]),
        let address = (requester.member("url") ?? requester.member("url_base"))?.text
      else { continue }
      let host = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? ""
      let plain = host.prefix { $0 != "/" && $0 != "?" }.replacing(/\{\{.*?\}\}/, with: "")
      guard plain.contains(".") else { continue }
      return SourceCommand.Draft.identifier(SourceCommand.Draft.label(of: String(plain)))
    }
    return "source"
  }
}

/// The part of a declaration that all its resources share.
struct ImportedClient {
  let baseURL: String
  let auth: ImportedAuth
  let headers: [FlowMember]
  /// The streams with the origin of `baseURL`, with their paths.
  let streams: [ImportedStream]

  /// Chooses the origin and the authentication that most streams have, and notes the others.
  /// - Returns: `nil` without a stream.
  init?(_ streams: [ImportedStream], _ remarks: inout ImportRemarks) {
    guard let origin = Self.mostFrequent(streams.map(\.address.origin)) else { return nil }
    for stream in streams where stream.address.origin != origin {
      remarks.add(
        stream.line, stream.name, "the stream is not written: its address is \(Excerpt.of(stream.address.origin))",
        "declare another source for it: a source has one base_url")
    }
    let own = streams.filter { $0.address.origin == origin }
    let common = Self.commonPath(own.map(\.address.base))
    baseURL = ([origin] + common).joined(separator: "/")
    let shared = Self.sharedHeaders(own)
    self.streams = own.map { stream in
      var stream = stream
      let path = stream.address.path(below: common)
      stream.resource.path = path.isEmpty ? "/" : path
      stream.resource.headers = stream.headers.filter { !shared.contains($0) }
      return stream
    }
    auth = Self.auth(own, &remarks)
    headers = auth.headers + shared
  }

  /// Returns the most frequent element; the first of several.
  private static func mostFrequent(_ elements: [String]) -> String? {
    let counts = Dictionary(elements.map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.values.max()
    return elements.first { counts[$0] == most }
  }

  private static func commonPath(_ paths: [[String]]) -> [String] {
    guard var common = paths.first else { return [] }
    for path in paths { common = zip(common, path).prefix { $0 == $1 }.map(\.0) }
    return common
  }

  private static func auth(_ streams: [ImportedStream], _ remarks: inout ImportRemarks) -> ImportedAuth {
    let candidates = streams.map(\.auth).filter { !$0.isEmpty }
    let counted = candidates.map { candidate in (candidate, candidates.count { $0.isLike(candidate) }) }
    let most = counted.map(\.1).max() ?? 0
    guard let chosen = counted.first(where: { $0.1 == most })?.0 else {
      return streams.contains { $0.auth.isMissing } ? .missing : ImportedAuth()
    }
    for stream in streams where !stream.auth.isLike(chosen) && !stream.auth.isMissing {
      let line = stream.auth.line == 0 ? stream.line : stream.auth.line
      remarks.add(
        line, stream.name, "its requests have the auth of client, not their own",
        "declare another source for it if the service refuses this auth")
    }
    return chosen
  }

  /// Returns the headers that all streams have with the same value.
  private static func sharedHeaders(_ streams: [ImportedStream]) -> [FlowMember] {
    (streams.first?.headers ?? []).filter { header in streams.allSatisfy { $0.headers.contains(header) } }
  }
}

/// The rate limits of `api_budget`.
enum ImportedLimits {
  /// Returns the limits of all requests, such as `10/1s,600/1h`; `nil` if the manifest has none.
  static func text(_ manifest: Manifest, _ remarks: inout ImportRemarks) -> String? {
    guard let budget = manifest.root.member("api_budget") else { return nil }
    var texts: [String] = []
    for policy in budget.member("policies")?.elements ?? [] {
      let own = limits(of: policy)
      guard !own.isEmpty, policy.member("matchers")?.elements.isEmpty ?? true else {
        remarks.add(
          policy.line, nil, "left out: a limit of some requests", "write rate_limits that all requests can have")
        continue
      }
      texts += own
    }
    return texts.isEmpty ? nil : texts.joined(separator: ",")
  }

  private static func limits(of policy: ManifestPart) -> [String] {
    let rates = policy.member("rates")?.elements.map { ($0.member("limit"), $0.member("interval")) } ?? []
    let all = rates + [(policy.member("call_limit"), policy.member("period"))]
    return all.compactMap { limit, interval in
      guard let count = limit?.text.flatMap({ Int($0) }), count > 0,
        let seconds = interval?.text.flatMap(ISODuration.seconds), seconds > 0
      else { return nil }
      return "\(count)/\(Duration.seconds(seconds).configured)"
    }
  }
}
