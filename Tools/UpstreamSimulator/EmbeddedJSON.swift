enum EmbeddedJSON {
  static func tree(_ path: String) -> JSONTree { files[path].flatMap { JSONTree(Array($0.utf8)) } ?? .object([]) }
}
