import SyncCore

/// Why a stream cannot be a resource.
struct UnusableStream: Error {
  let line: Int
  let reason: String
  let advice: String
}

/// What all streams of an import share.
struct ImportContext {
  /// The source's name.
  let id: String
  let spec: ManifestSpec
  let names: ImportedNames

  /// The variable of the environment for an option of the user.
  func variable(_ option: [String]) -> String {
    let plain = ([id] + option).joined(separator: "_").uppercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
    }
    return String(plain)
  }
}

/// A stream that a declaration can have.
struct ImportedStream {
  let name: String
  let line: Int
  var resource: ImportedResource
  let address: ImportedAddress
  let auth: ImportedAuth
  let headers: [FlowMember]
}

/// Reads a stream of a manifest as a resource. Notes each part that the resource does not have.
struct StreamImport {
  let stream: ManifestPart
  let name: String
  let context: ImportContext
  var remarks: ImportRemarks
  var resource: ImportedResource
  /// The lists of the stream.
  var router = Router.none
  /// The members that transformations add to each record.
  var addedFields: [AddedField] = []
  /// The names of a value of the interval of an incremental walk.
  var interval = ImportedText.usualInterval
  /// Whether a request contains a value of `router`.
  var usesPartition = false
  /// The parameters with the start and the end of the interval.
  var startParameter: String?
  var endParameter: String?
  /// Whether the interval is somewhere where a declaration cannot have it.
  var hasUnreadInterval = false
  /// Whether texts of parameters or of the body contain the start and the end of the interval.
  var intervalInTexts = (hasStart: false, hasEnd: false)
  /// Whether the body contains the interval.
  var hasIntervalInBody = false
  /// The number of parents above the stream that have been read.
  var depth = 0
  /// The number of values in the body.
  var bodyValueCount = 0
  /// The parameter with the token of the next page, if `request_parameters` names it.
  var tokenParameter: String?

  static let view = "write a view in SQL: raw has each member"

  init(_ stream: ManifestPart, name: String, context: ImportContext, remarks: ImportRemarks) {
    self.stream = stream
    self.name = name
    self.context = context
    self.remarks = remarks
    resource = ImportedResource(name: context.names.resources[name] ?? name)
  }

  /// Returns the stream; `nil` with a remark if it cannot be a resource.
  mutating func imported() -> ImportedStream? {
    do throws(UnusableStream) {
      return try read()
    } catch {
      remarks.add(error.line, name, "the stream is not written: \(error.reason)", error.advice)
      return nil
    }
  }

  private mutating func read() throws(UnusableStream) -> ImportedStream {
    if resource.name != name.lowercased() {
      remarks.add(stream.line, name, "the resource has the name \(resource.name)", "rename it if you like; path stays")
    }
    let retriever = try retriever()
    guard let requester = retriever.member("requester") else {
      throw UnusableStream(line: retriever.line, reason: "it has no requester", advice: "write the resource by hand")
    }
    noteClass(of: requester, "requester")
    noteClass(of: stream, "stream")
    try checkDecoder(retriever)

    readInterval()
    addedFields = AddedField.fields(of: stream, context.spec)
    router = try router(retriever)
    resource.selector = try selector(retriever)
    let address = try address(requester)
    try readRequests(requester, address)
    try readRequestOption()
    resource.key = key()
    readIncremental()
    readPaginator(retriever)
    readActions(requester)
    readColumns()
    readTransformations()
    try finishLists()
    return ImportedStream(
      name: name,
      line: stream.line,
      resource: resource,
      address: address,
      auth: auth(requester),
      headers: headers(requester))
  }

  private func retriever() throws(UnusableStream) -> ManifestPart {
    guard let retriever = stream.member("retriever") else {
      throw UnusableStream(line: stream.line, reason: "it has no retriever", advice: "write the resource by hand")
    }
    guard retriever.type != "AsyncRetriever" else {
      throw UnusableStream(
        line: retriever.line, reason: "it creates reports and downloads them (AsyncRetriever)",
        advice: "write a compiled source, or mirror another list of the service")
    }
    return retriever
  }

  private mutating func checkDecoder(_ retriever: ManifestPart) throws(UnusableStream) {
    noteClass(of: retriever, "retriever")
    guard let decoder = retriever.member("decoder"), let type = decoder.type, type != "JsonDecoder" else { return }
    throw UnusableStream(
      line: decoder.line, reason: "its pages are not JSON (\(Excerpt.of(type, scalars: 60)))",
      advice: "only JSON is read; ask the service for JSON with a header or a parameter if it can send it")
  }

  /// Notes that a Python class does not run.
  mutating func noteClass(of part: ManifestPart, _ role: String) {
    guard let className = part.className else { return }
    remarks.add(
      part.line, name, "the \(role)'s class \(Excerpt.of(className, scalars: 100)) is not run",
      "compare the resource with what the class does")
  }

  // MARK: Texts

  /// Reads a text, and notes which options have an assumed value.
  /// - Parameters:
  ///   - component: The component whose `$parameters` the text can contain; the part itself by default.
  ///   - keepsOptions: Whether options stay unknown even if they have a default.
  mutating func text(
    _ part: ManifestPart, in component: ManifestPart? = nil, keepsOptions: Bool = false
  ) -> ImportedText {
    var evaluator = JinjaEvaluator(
      component: component ?? part, spec: context.spec, keepsOptions: keepsOptions)
    let text = ImportedText(part.text ?? "", line: part.line, evaluator: &evaluator, interval: interval)
    remarks.add(evaluator.assumed, at: part.line)
    return text
  }

  /// Returns the text without unknown parts; `nil` without one, or if it is empty.
  mutating func plain(_ part: ManifestPart?) -> String? {
    guard let part, let plain = text(part).plain, !plain.isEmpty else { return nil }
    return plain
  }

  mutating func integer(_ part: ManifestPart?) -> Int? { plain(part).flatMap { Int($0) } }

  /// Returns the expression of a part whose text is nothing else, after its known parts have been computed.
  mutating func expression(_ part: ManifestPart) -> JinjaExpression? {
    let parts = JinjaTemplate(part.text ?? "").parts
    guard parts.count == 1, case .expression(let expression, _) = parts[0] else { return nil }
    var evaluator = JinjaEvaluator(component: part, spec: context.spec)
    let simplified = evaluator.simplified(expression)
    remarks.add(evaluator.assumed, at: part.line)
    return simplified
  }

  /// The text that stands for the unknown value of an option.
  static func placeholder(_ option: [String]) -> String { "TODO_\(option.joined(separator: "_"))" }

  /// Notes that the user must replace a placeholder.
  /// - Parameter isShared: Whether the placeholder is in a part that all resources share.
  mutating func ask(for option: [String], _ placeholder: String, at line: Int, isShared: Bool = false) {
    remarks.add(
      line, isShared ? nil : name, "\(placeholder) stands for config.\(option.joined(separator: "."))",
      "write your value in its place")
  }
}
