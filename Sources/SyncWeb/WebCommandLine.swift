import SyncCore

/// The command that prints what a page shows.
package enum WebCommandLine {
  /// Returns a command with the options that have a value, such as `syncctl pokedex list --type fire`.
  /// - Parameters:
  ///   - words: The command's words, without quotation marks.
  ///   - options: The names of options without `--`, with their values. An empty value is a flag.
  package static func text(_ words: [String], _ options: [(name: String, value: String?)] = []) -> String {
    let written = options.compactMap { name, value -> String? in
      guard let value else { return nil }
      if value.isEmpty { return "--\(name)" }
      return "--\(name)\(value.hasPrefix("-") ? "=" : " ")\(value.shellWord)"
    }
    return (words.map(\.shellWord) + written).joined(separator: " ")
  }
}
