import SyncCore

/// The names of resources for the streams of a manifest.
struct ImportedNames {
  /// The resource of each stream.
  private(set) var resources: [String: String] = [:]

  /// The parts that names of a resource's tables and views have after the resource's name.
  private static let suffixes = ["", "_list", "_counters", "_full", "_places"]

  /// - Parameter streams: The names of the streams. Equal names get the same resource.
  init(_ streams: [String]) {
    var taken: Set<String> = []
    var tables: Set<String> = []
    for stream in streams where resources[stream] == nil {
      let name = Self.free(Self.valid(stream)) { candidate in
        tables.contains(candidate) || Self.suffixes.contains { taken.contains(candidate + $0) }
      }
      resources[stream] = name
      taken.insert(name)
      tables.formUnion(Self.suffixes.map { name + $0 })
    }
  }

  /// Returns a valid name of a table: the stream's name in lower case, with `_` between its words.
  private static func valid(_ stream: String) -> String {
    let words = DeclaredName.column(of: [stream]).map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
    }
    let name = String(words.drop { !$0.isLetter }.prefix(31))
    guard !name.isEmpty, !DeclaredName.reserved.contains(name), !DeclaredName.tables.contains(name) else {
      return String((name.isEmpty ? "stream" : "\(name)_stream").prefix(31))
    }
    return name
  }

  /// Returns the name, with a number if its tables or those of another resource would have the same name.
  private static func free(_ name: String, _ isTaken: (String) -> Bool) -> String {
    var candidate = name
    var number = 1
    while isTaken(candidate) {
      number += 1
      let suffix = "_\(number)"
      candidate = name.prefix(31 - suffix.count) + suffix
    }
    return candidate
  }
}
