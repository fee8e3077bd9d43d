import SyncCore
import SyncPostgres
import Yams

extension ResourceReader {
  /// A declared parameter, with its place for errors.
  struct Parameter {
    let name: String
    var text: DeclaredText
    /// `nil` without a placeholder. `text` then shows the template.
    var template: TextTemplate?
    let part: DeclarationPart

    var declared: Declaration.Parameter { Declaration.Parameter(name: name, value: text, template: template) }
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
      return Parameter(name: name, text: .literal(TextTemplate.start.shown), template: .start, part: part)
    }

    if part.node.mapping?["value"] != nil {
      let members = try part.members(["value", "format"])
      let value = try part.required("value", of: members, hint: PlaceholderReader.dateHint)
      let format = try members["format"]?.dateFormat()
      let text = try value.text("{today - 7d}")
      let parameter = try filled(name, text, at: value, format: format, &placeholders)
      if let formatPart = members["format"], parameter.template?.hasDates != true {
        throw formatPart.fault("is not a format of dates in this value, which has none", hint: "remove it")
      }
      if parameter.template == nil { _ = try value.declaredText(isSecret: SecretName.hasSecret(name)) }
      return parameter
    }

    let isSecret = SecretName.hasSecret(name)
    guard !isSecret || part.node.scalar.map({ placeholders.occur(in: $0.string) }) != true else {
      throw part.fault(
        "can be a secret, and the values of lists are stored and shown",
        hint: "write { env: NAME } or { file: PATH }, or use another parameter")
    }
    let text = try part.declaredText(isSecret: isSecret)
    guard case .literal(let words) = text else { return Parameter(name: name, text: text, part: part) }
    return try filled(name, words, at: part, format: nil, &placeholders)
  }

  /// Returns a parameter with the placeholders of its text.
  /// - Parameters:
  ///   - part: The place of the text.
  ///   - format: The format of the dates; `nil` for the standard one.
  private static func filled(
    _ name: String, _ words: String, at part: DeclarationPart, format: DateFormat?,
    _ placeholders: inout PlaceholderReader
  ) throws(SyncError) -> Parameter {
    let template = try placeholders.template(of: words, at: part, format: format, isInBody: false)
    if let template, !template.isStart, !template.isEnd { placeholders.note(template, at: part) }
    return Parameter(name: name, text: .literal(template?.shown ?? words), template: template, part: part)
  }
}
