import SyncCore
import SyncPostgres
import Yams

extension ResourceReader {
  /// A declared parameter, with its place for errors.
  struct Parameter {
    let name: String
    let text: DeclaredText
    let template: DateTemplate?
    let part: DeclarationPart

    var declared: Declaration.Parameter { Declaration.Parameter(name: name, value: text, template: template) }
  }

  /// Returns the parameters of the defaults and of the resource. The resource's parameters replace defaults of the same
  /// name.
  func parameters() throws(SyncError) -> [Parameter] {
    let defaultEndpoint = defaults["endpoint"]
    let defaultParams = defaultEndpoint?.node.mapping?["params"].flatMap { defaultEndpoint?.below(".params", $0) }

    var parameters: [Parameter] = []
    for part in [defaultParams, endpoint["params"]].compactMap(\.self) where !part.isNull {
      for parameter in try Self.parameters(in: part) {
        parameters.removeAll { $0.name == parameter.name }
        parameters.append(parameter)
      }
    }
    return parameters
  }

  private static func parameters(in params: DeclarationPart) throws(SyncError) -> [Parameter] {
    guard let mapping = params.node.mapping else {
      throw params.fault("must have members", hint: "write params: { per_page: 100 }")
    }
    var parameters: [Parameter] = []
    for (key, node) in mapping {
      let name = key.string ?? ""
      let part = params.below(".\(Excerpt.of(name, scalars: 40))", node)
      guard !name.isEmpty, !part.isNull else {
        throw part.fault("must have a value", hint: "write params: { per_page: 100 }", at: key.mark)
      }
      parameters.append(try parameter(name, part))
    }
    return parameters
  }

  private static func parameter(_ name: String, _ part: DeclarationPart) throws(SyncError) -> Parameter {
    if let type = part.node.mapping?["type"]?.string {
      try checkType(type, part)
      return Parameter(name: name, text: .literal("{incremental}"), template: nil, part: part)
    }

    if part.node.mapping?["value"] != nil {
      let members = try part.members(["value", "format"])
      let value = try part.required("value", of: members, hint: dateHint)
      let words = try value.text("{today - 7d}")
      let template = try template(words, at: value, format: members["format"])
      return Parameter(name: name, text: .literal(words), template: template, part: part)
    }

    let text = try part.declaredText(isSecret: SecretName.hasSecret(name))
    guard case .literal(let words) = text, DateTemplate.isTemplate(words), !words.contains("{incremental.") else {
      return Parameter(name: name, text: text, template: nil, part: part)
    }
    return Parameter(name: name, text: text, template: try template(words, at: part), part: part)
  }

  /// - Throws: `SyncError` unless the type of the parameter is `incremental`.
  private static func checkType(_ type: String, _ part: DeclarationPart) throws(SyncError) {
    switch type {
    case "incremental": break
    case "resolve":
      throw part.fault("depends on another resource", hint: "resources of a resource are not supported")
    default: throw part.fault("has an unknown type", hint: "write a text or a number")
    }
  }

  private static let dateHint =
    #"write "{today}", "{now - 7d}" or { value: "{now - 7d}", format: "%Y-%m-%d" }; other formats: epoch, epoch_ms"#

  /// - Parameters:
  ///   - part: The place of `words`.
  ///   - format: The format of the dates; `nil` for the standard one.
  private static func template(
    _ words: String, at part: DeclarationPart, format: DeclarationPart? = nil
  ) throws(SyncError) -> DateTemplate {
    let pattern = try format?.text("%Y-%m-%d")
    do throws(DateTemplate.Fault) {
      return try DateTemplate(words, format: pattern)
    } catch {
      switch error {
      case .format: throw (format ?? part).fault("is not a format of dates", hint: dateHint)
      case .placeholder(let name) where name.hasPrefix("resources."):
        throw part.fault("depends on another resource", hint: "resources of a resource are not supported")
      case .placeholder(let name):
        throw part.fault("has {\(Excerpt.of(name, scalars: 40))}, which is not a date", hint: dateHint)
      }
    }
  }
}
