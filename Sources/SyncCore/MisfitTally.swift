/// A JSON member that does not fit its column. The column is null, and the document contains the original value.
package struct Misfit: Sendable, Equatable {
  /// The member's path in the item, such as `aired.from`.
  package let path: String
  /// The beginning of the value's JSON; `missing` if the member is absent.
  package let example: String

  /// The `example` of a member that is absent.
  package static let missing = "missing"

  /// `example` is the beginning of the value's JSON, or `Misfit.missing`.
  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }
}

/// Counts misfits by path, with the first example of each path.
package struct MisfitTally: Sendable, Equatable {
  /// The misfits of one path.
  package struct Entry: Sendable, Equatable, Codable {
    package var count: Int
    package let example: String
  }

  package private(set) var paths: [String: Entry] = [:]

  package init() {}

  /// The number of misfits of all paths.
  package var count: Int { paths.values.reduce(0) { $0 + $1.count } }

  /// Counts the misfits of one item.
  package mutating func add(_ misfits: [Misfit]) {
    for misfit in misfits { paths[misfit.path, default: Entry(count: 0, example: misfit.example)].count += 1 }
  }

  /// Adds the counts. Of a path that both have, the example on the left stays.
  package static func += (sum: inout MisfitTally, other: MisfitTally) {
    sum.paths.merge(other.paths) { Entry(count: $0.count + $1.count, example: $0.example) }
  }

  /// A warning for the user that names the most frequent paths, or `nil` without misfits.
  package var sentence: String? {
    guard !paths.isEmpty else { return nil }
    let sorted = paths.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let examples = sorted.prefix(Limits.reportedMisfits).map { path, entry in
      entry.example == Misfit.missing
        ? "\(path) (\(entry.count), \(entry.example))"
        : "\(path) (\(entry.count), e.g. \(entry.example))"
    }
    let more = sorted.count > examples.count ? ", and \(sorted.count - examples.count) more" : ""
    let members =
      count == 1
      ? "1 member was not understood, and its column is" : "\(count) members were not understood, and their columns are"
    return "\(members) null: \(examples.joined(separator: ", "))\(more)"
  }
}
