import Yams

enum RecordedSetting: Codable, Sendable, Equatable {
  case text(String)
  case list([RecordedSetting])
  case members([String: RecordedSetting])

  init?(_ node: Node) {
    if let scalar = node.scalar {
      self = .text(scalar.string)
    } else if let sequence = node.sequence {
      self = .list(sequence.compactMap(RecordedSetting.init))
    } else if let mapping = node.mapping {
      let pairs = mapping.compactMap { key, value in
        RecordedSetting(value).flatMap { value in key.string.map { ($0, value) } }
      }
      self = .members(Dictionary(pairs) { first, _ in first })
    } else {
      return nil
    }
  }

  var node: Node {
    switch self {
    case .text(let text): Node(text)
    case .list(let values): Node(values.map(\.node))
    case .members(let members): Node(members.sorted { $0.key < $1.key }.map { (Node($0.key), $0.value.node) })
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let values = try? container.decode([RecordedSetting].self) {
      self = .list(values)
    } else {
      self = .members(try container.decode([String: RecordedSetting].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .members(let members): try container.encode(members)
    }
  }
}
