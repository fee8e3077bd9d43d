import SyncCore
import SyncPostgres
import Yams

extension ResourceReader {
  /// A declared parameter, with its place for errors.
  struct Parameter {
    let name: String
    var text: DeclaredText
    var template: DateTemplate?
    /// Whether the text has placeholders of `ListPlaceholder`.
    var hasPlaceholder = false
    let part: DeclarationPart

    var declared: Declaration.Parameter {
      Declaration.Parameter(name: name, value: text, template: template, hasPlaceholder: hasPlaceholder)
    }
  }

  /// Returns the names and the values of the parameters of the defaults and of the resource. The resource's parameters
  /// replace defaults of the same name.
  func declaredParameters() throws(SyncError) -> [(name: String, part: DeclarationPart)] {
    let defaultEndpoint = defaults["endpoint"]
    let defaultParams = defaultEndpoint?.node.mapping?["params"].flatMap { defaultEndpoint?.below(".params", $0) }

    var parameters: [(name: String, part: DeclarationPart)] = []
    for part in [defaultParams, endpoint["params"]].compactMap(\.self) where !part.isNull {
      for parameter in try Self.parameters(in: part) {
        parameters.removeAll { $0.name == parameter.name }
        parameters.append(parameter)
      }
    }
    return parameters
  }

  private static func parameters(
    in params: DeclarationPart
  ) throws(SyncError) -> [(name: String, part: DeclarationPart)] {
    guard let mapping = params.node.mapping else {
      throw params.fault("must have members", hint: "write params: { per_page: 100 }")
    }
    var parameters: [(name: String, part: DeclarationPart)] = []
    for (key, node) in mapping {
      let name = key.string ?? ""
      let part = params.below(".\(Excerpt.of(name, scalars: 40))", node)
      guard !name.isEmpty, !part.isNull else {
        throw part.fault("must have a value", hint: "write params: { per_page: 100 }", at: key.mark)
      }
      parameters.append((name, part))
    }
    return parameters
  }

  /// The member `type` of a parameter, or `nil`.
  static func type(of part: DeclarationPart) -> String? { part.node.mapping?["type"]?.string }

  /// Reads a parameter whose type is not `resolve`.
  static func parameter(
    _ name: String, _ part: DeclarationPart, _ placeholders: inout PlaceholderReader
  ) throws(SyncError) -> Parameter {
    guard !placeholders.occur(in: name) else {
      throw part.fault("has a placeholder in its name", hint: "write placeholders only in values of params")
    }
    if let type = type(of: part) {
      guard type == "incremental" else {
        throw part.fault("has an unknown type", hint: "write a text or a number")
      }
      return Parameter(name: name, text: .literal("{incremental}"), part: part)
    }

    if part.node.mapping?["value"] != nil {
      let members = try part.members(["value", "format"])
      let value = try part.required("value", of: members, hint: dateHint)
      var parameter = Parameter(name: name, text: .literal(try value.text("{today - 7d}")), part: part)
      try fill(&parameter, at: value, format: members["format"], &placeholders)
      return parameter
    }

    let isSecret = SecretName.hasSecret(name)
    guard !isSecret || part.node.scalar.map({ placeholders.occur(in: $0.string) }) != true else {
      throw part.fault(
        "can be a secret, and the values of lists are stored and shown",
        hint: "write { env: NAME } or { file: PATH }, or use another parameter")
    }
    var parameter = Parameter(name: name, text: try part.declaredText(isSecret: isSecret), part: part)
    guard case .literal(let words) = parameter.text, DateTemplate.isTemplate(words), !words.contains("{incremental.")
    else { return parameter }
    try fill(&parameter, at: part, format: nil, &placeholders)
    return parameter
  }

  private static let dateHint =
    #"write "{today}", "{now - 7d}" or { value: "{now - 7d}", format: "%Y-%m-%d" }; other formats: epoch, epoch_ms"#

  /// Replaces the placeholders of lists in the text, and sets the template of its dates.
  /// - Parameters:
  ///   - part: The place of the text.
  ///   - format: The format of the dates; `nil` for the standard one.
  private static func fill(
    _ parameter: inout Parameter, at part: DeclarationPart, format: DeclarationPart?,
    _ placeholders: inout PlaceholderReader
  ) throws(SyncError) {
    guard case .literal(let words) = parameter.text else { return }
    let replaced = try placeholders.replace(in: words, of: part, isPath: false)
    parameter.text = .literal(replaced.text)
    parameter.hasPlaceholder = replaced.hasPlaceholder

    let hasDates = replaced.other != nil
    if replaced.hasPlaceholder, let format {
      // Braces of a format would become placeholders.
      guard hasDates, format.node.scalar?.string.contains("{") != true else {
        throw format.fault("is not a format of dates in this value", hint: "remove it, or its braces")
      }
    }
    guard hasDates || !replaced.hasPlaceholder else { return }
    parameter.template = try template(replaced.text, at: part, format: format)
  }

  /// - Parameters:
  ///   - part: The place of `words`.
  ///   - format: The format of the dates; `nil` for the standard one.
  private static func template(
    _ words: String, at part: DeclarationPart, format: DeclarationPart?
  ) throws(SyncError) -> DateTemplate {
    let pattern = try format?.text("%Y-%m-%d")
    do throws(DateTemplate.Fault) {
      return try DateTemplate(words, format: pattern)
    } catch {
      switch error {
      case .format: throw (format ?? part).fault("is not a format of dates", hint: dateHint)
      case .placeholder(let name):
        throw part.fault(
          "has {\(Excerpt.of(name, scalars: 40))}, which is not a date",
          hint: "\(dateHint); for lists, {resources.NAME.MEMBER} or {city} with values: { city: [berlin] }")
      }
    }
  }
}
