import SyncCore

struct FieldFault: Error {
  let reason: String
  let detail: String

  init(reason: String, detail: String) {
    self.reason = reason
    self.detail = detail
  }

  init(_ error: any Error) {
    switch error {
    case let fault as FieldFault:
      self = fault
    case DecodingError.typeMismatch(_, let context):
      self.init(reason: "wrong_type", context)
    case DecodingError.valueNotFound(_, let context):
      self.init(reason: "null", context)
    case DecodingError.keyNotFound(let key, let context):
      let path = Self.path(context.codingPath + [key])
      self.init(reason: "missing", detail: "\(path): missing")
    case DecodingError.dataCorrupted(let context):
      self.init(reason: "out_of_range", context)
    default:
      self.init(reason: "unreadable", detail: Excerpt.of("\(error)"))
    }
  }

  private init(reason: String, _ context: DecodingError.Context) {
    self.init(reason: reason, detail: "\(Self.path(context.codingPath)): \(Excerpt.of(context.debugDescription))")
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "item" : keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
