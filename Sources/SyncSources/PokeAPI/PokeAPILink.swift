/// A link of PokeAPI, absolute or relative: `https://pokeapi.co/api/v2/pokemon/1/`, `/api/v2/pokemon/1`.
///
/// Links are read and never followed: they lead to the host that the service names, not to the requested one.
struct PokeAPILink {
  private let segments: [Substring]

  init(_ text: String) {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    segments = path.split(separator: "/")
  }

  /// The last part of the path: the endpoint of a link to a list.
  var name: Substring? { segments.last }

  /// The number of a document of this endpoint, from −1 up; nil if the link leads anywhere else.
  func id(in endpoint: String) -> Int64? {
    guard segments.count >= 2, segments[segments.count - 2] == endpoint, let text = segments.last,
      let id = Int64(text), String(id) == text
    else { return nil }
    return id
  }
}
