import Foundation
package import UpstreamSimulator

/// A small service that pages a list of 250 items in the way that a documentation describes.
///
/// `syncctl source draft` must write a declaration for the address that reads all items, or ask a question.
package struct ServiceShape: Sendable {
  /// The name of the drafted source and the first part of the service's paths.
  package let name: String
  /// The documentation whose example answer the shape has.
  package let documentation: String
  /// The path and query that a user types after the server's address, without the shape's name.
  package let address: String
  /// Environment variables that `run` needs, because `draft` has replaced a key by a variable.
  package let environment: [String: String]
  let respond: @Sendable (ShapeRequest) -> SimulatedAnswer

  init(
    _ name: String, _ documentation: String, _ address: String, environment: [String: String] = [:],
    _ respond: @escaping @Sendable (ShapeRequest) -> SimulatedAnswer
  ) {
    self.name = name
    self.documentation = documentation
    self.address = address
    self.environment = environment
    self.respond = respond
  }

  /// The number of items in the list of each shape.
  package static let itemCount = 250

  /// The items' numbers, ascending and with gaps.
  static let numbers = (0..<itemCount).map { 1000 + 3 * $0 + $0 / 10 }

  package static let all = numbered + offsets + links + cursors + further
}

/// Serves each shape below its name: `/spring/products`.
package struct ServiceShapes: SimulatedUpstream {
  package init() {}

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    let parts = request.path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let shape = ServiceShape.all.first(where: { $0.name == name }) else {
      return .json(#"{"message": "no such service"}"#, status: 404)
    }
    let typed = shape.address.prefix { $0 != "?" }
    let path = "/" + (parts.count > 1 ? parts[1] : "")
    let received = ShapeRequest(request, path: path, root: "http://\(request.header("host") ?? "")/\(name)")
    // Django redirects to the address with the final slash.
    if typed.hasSuffix("/"), path + "/" == typed {
      return SimulatedAnswer(status: 301, headers: [HeaderField("Location", received.root + typed)])
    }
    // The links of these services have another path than the first page.
    guard path == typed || ["discourse", "salesforce"].contains(shape.name) else {
      return .json(#"{"message": "no such list"}"#, status: 404)
    }
    return shape.respond(received)
  }
}

/// A request for a page of a shape's list.
struct ShapeRequest: Sendable {
  let request: SimulatedRequest
  /// The path after the shape's name.
  let path: String
  /// The address of the service, without a final slash.
  let root: String
  private let parameters: [String: String]

  init(_ request: SimulatedRequest, path: String, root: String) {
    self.request = request
    self.path = path
    self.root = root
    parameters = request.parameters
  }

  subscript(name: String) -> String? { parameters[name] }

  /// The parameter as a number, or `standard` if it is missing or not a number.
  func number(_ name: String, _ standard: Int) -> Int { parameters[name].flatMap { Int($0) } ?? standard }

  /// Whether each parameter is one of these. Some services refuse others.
  func hasOnly(_ names: String...) -> Bool { parameters.keys.allSatisfy(names.contains) }

  /// The address of another page: the request's own with some parameters replaced. `nil` removes a parameter.
  func address(_ changes: [(name: String, value: String?)], relative: Bool = false) -> String {
    var kept = parameters.sorted { $0.key < $1.key }.filter { pair in !changes.contains { $0.name == pair.key } }
      .map { "\($0.key)=\(Self.encoded($0.value))" }
    for change in changes {
      if let value = change.value { kept.append("\(change.name)=\(Self.encoded(value))") }
    }
    let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
    let start = relative ? "/" + (root.split(separator: "/").last ?? "") : root
    return start + path + query
  }

  private static func encoded(_ value: String) -> String {
    var allowed = CharacterSet.urlQueryAllowed
    allowed.remove(charactersIn: "+&=?#[]")
    return value.addingPercentEncoding(withAllowedCharacters: allowed) ?? value
  }
}

/// A part of a shape's list.
struct ShapePage: Sendable {
  let start: Int
  let size: Int
  let numbers: [Int]

  /// - Parameter start: The place of the first item, from 0.
  init(from start: Int, size: Int) {
    self.start = max(start, 0)
    self.size = max(size, 1)
    numbers = Array(ServiceShape.numbers.dropFirst(self.start).prefix(self.size))
  }

  var hasNext: Bool { start + size < ServiceShape.itemCount }

  /// The number of pages of this size.
  var pages: Int { (ServiceShape.itemCount + size - 1) / size }

  /// A JSON array of the items.
  func json(_ item: (Int) -> String) -> String { "[" + numbers.map(item).joined(separator: ",") + "]" }
}

extension String {
  /// The text as a JSON text, for addresses and tokens.
  var quoted: String { "\"\(self)\"" }
}

extension String? {
  var orNull: String { map(\.quoted) ?? "null" }
}

/// A UUID with the number at its end.
func shapeUUID(_ number: Int) -> String {
  let digits = "\(number)"
  return "5c5b7f10-6d3a-4d2e-9c1b-" + String(repeating: "0", count: 12 - digits.count) + digits
}

/// An opaque token that contains the number.
func shapeToken(_ number: Int) -> String { Data("place:\(number)".utf8).base64EncodedString() }

/// The number in a token, or `nil` if the token is none of the service's.
func shapePlace(_ token: String) -> Int? {
  guard let data = Data(base64Encoded: token) else { return nil }
  let parts = String(decoding: data, as: UTF8.self).split(separator: ":")
  return parts.count == 2 && parts[0] == "place" ? Int(parts[1]) : nil
}
