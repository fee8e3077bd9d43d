import Foundation

/// An upstream with pictures that the simulator draws.
///
/// In bodies, the addresses of the services' pictures become addresses of this server, which the header `Host` names.
/// A picture depends only on its address.
package struct IllustratedUpstream: SimulatedUpstream {
  private static let path = "/pictures/"

  private let upstream: any SimulatedUpstream

  package init(_ upstream: any SimulatedUpstream) { self.upstream = upstream }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    if request.path.hasPrefix(Self.path) { return Self.picture(at: request.path.dropFirst(Self.path.count)) }
    var answer = await upstream.answer(request)
    guard let host = request.header("host") else { return answer }
    let server = "http://\(host)\(Self.path)"
    for (address, folder) in Self.folders {
      answer.body = Self.replacing(address, by: server + folder, in: answer.body)
      // Jikan escapes slashes.
      answer.body = Self.replacing(Self.escaped(address), by: Self.escaped(server + folder), in: answer.body)
    }
    return answer
  }

  /// The beginnings of the services' addresses of pictures, with the folders that replace them.
  private static let folders = [
    ("https://cdn.myanimelist.net/images/", "posters/"),
    ("https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon/", "creatures/"),
    ("https://is1-ssl.mzstatic.com/image/thumb/", "covers/"),
  ]

  private static func escaped(_ text: String) -> String { text.replacing("/", with: #"\/"#) }

  private static func replacing(_ text: String, by other: String, in body: [UInt8]) -> [UInt8] {
    var data = Data(body)
    var start = data.startIndex
    while let found = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(found, with: other.utf8)
      start = found.lowerBound + other.utf8.count
    }
    return Array(data)
  }

  /// - Parameter path: The folder and the name, such as `creatures/shiny/25.png`. The suffix is ignored.
  private static func picture(at path: Substring) -> SimulatedAnswer {
    let parts = path.split(separator: "/").map { $0.prefix { $0 != "." } }
    guard let folder = parts.first, parts.count > 1, let name = parts.last else { return SimulatedAnswer(status: 404) }
    let drawing: DrawnPicture
    switch folder {
    case "posters": drawing = .poster(parts.dropFirst().joined(separator: "/"))
    case "creatures": drawing = .creature(Int(name) ?? 0, kinds: Set(parts.dropLast().map(String.init)))
    case "covers": drawing = .cover(parts.dropLast().joined(separator: "/"))
    default: return SimulatedAnswer(status: 404)
    }
    let headers = [HeaderField("Content-Type", "image/svg+xml"), HeaderField("Cache-Control", "max-age=3600")]
    return SimulatedAnswer(headers: headers, body: Array(drawing.svg.utf8))
  }
}
