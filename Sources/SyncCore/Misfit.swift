/// A member of an item that does not fit its column. The column is null, and the document has what was sent.
package struct Misfit: Sendable, Equatable {
  /// Where in the item, e.g. `aired.from`: one of the few paths that a source reads.
  package let path: String
  /// What was found there, as the beginning of its JSON; `missing` if nothing was.
  package let example: String

  package static let missing = "missing"

  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }
}

/// How often each member did not fit, with one example: no more paths than a source reads, however many items.
package struct MisfitTally: Sendable, Equatable {
  package struct Entry: Sendable, Equatable, Codable {
    package var count: Int
    package let example: String
  }

  package private(set) var paths: [String: Entry] = [:]

  package init() {}

  package var count: Int { paths.values.reduce(0) { $0 + $1.count } }

  package mutating func add(_ misfits: [Misfit]) {
    for misfit in misfits { paths[misfit.path, default: Entry(count: 0, example: misfit.example)].count += 1 }
  }

  package static func += (sum: inout MisfitTally, other: MisfitTally) {
    sum.paths.merge(other.paths) { Entry(count: $0.count + $1.count, example: $0.example) }
  }

  package var sentence: String? {
    guard !paths.isEmpty else { return nil }
    let sorted = paths.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let told = sorted.prefix(Limits.toldMisfits).map { path, entry in
      entry.example == Misfit.missing
        ? "\(path) (\(entry.count), \(entry.example))"
        : "\(path) (\(entry.count), e.g. \(entry.example))"
    }
    let more = sorted.count > told.count ? ", and \(sorted.count - told.count) more" : ""
    let members =
      count == 1
      ? "1 member was not understood, and its column is" : "\(count) members were not understood, and their columns are"
    return "\(members) null: \(told.joined(separator: ", "))\(more)"
  }
}
