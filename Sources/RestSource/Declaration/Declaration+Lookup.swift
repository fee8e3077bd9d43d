extension Declaration {
  /// The request for a single item, by the members of its key.
  struct Lookup: Sendable {
    /// Members of the key are in braces: `products/{id}`.
    let path: String
    let selector: [String]

    /// The names in braces. Not from a regular expression, which would need the square of the number of braces.
    var names: [String] {
      path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
        part.firstIndex(of: "}").map { String(part[..<$0]) }
      }
    }

    /// The path of an item.
    func path(of members: [String: String]) -> String {
      var parts = path.split(separator: "{", omittingEmptySubsequences: false)[...]
      var filled = parts.popFirst().map(String.init) ?? ""
      for part in parts {
        let end = part.firstIndex(of: "}")
        let member = end.flatMap { members[String(part[..<$0])] }
        filled += member.flatMap { member in end.map { member + part[part.index(after: $0)...] } } ?? "{" + part
      }
      return filled
    }
  }
}
