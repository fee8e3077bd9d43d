/// A configured value and where it came from; a flag beats the environment, that the file, that the default.
struct Setting<Value: Sendable>: Sendable {
  let value: Value
  let origin: SettingOrigin

  init(_ value: Value, _ origin: SettingOrigin) {
    self.value = value
    self.origin = origin
  }

  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Setting<Other> {
    Setting<Other>(try transform(value), origin)
  }
}

enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  case standard
  case file(String)
  case environment(String)
  case flag(String)

  var description: String {
    switch self {
    case .standard: "default"
    case .file(let path): path
    case .environment(let name): "environment \(name)"
    case .flag(let name): "flag \(name)"
    }
  }
}

/// Where a text setting is looked for: the environment beats the file.
struct SettingChoice {
  let file: ConfigurationFile?
  let environment: [String: String]

  func setting(_ variable: String, _ fileValue: String?) -> Setting<String>? {
    if let text = environment[variable], !text.isEmpty { return Setting(text, .environment(variable)) }
    guard let file, let fileValue else { return nil }
    return Setting(fileValue, .file(file.path))
  }
}
