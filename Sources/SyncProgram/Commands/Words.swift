package import SyncCore
import SyncPostgres

extension Moment {
  package init(_ word: String, option: String) throws(SyncError) {
    guard let moment = Moment(word) else {
      throw SyncError(.usage, "\(option): \(Excerpt.of(word, scalars: 40)) is not a time", hint: Moment.hint)
    }
    self = moment
  }
}

extension SyncError {
  package static func unknown(_ what: String, _ word: String, _ known: [String]) -> SyncError {
    SyncError(
      .usage, "there is no \(what) \(Excerpt.of(word, scalars: 40))", hint: Suggestion.choice(for: word, among: known))
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  package static func named(
    _ word: String, _ what: String, among known: [Self] = Array(allCases)
  ) throws(SyncError) -> Self {
    if let found = known.first(where: { $0.rawValue == word }) { return found }
    throw SyncError.unknown(what, word, known.map(\.rawValue))
  }
}

package enum Bounds {
  /// - Returns: `nil` for 0, which means no limit.
  package static func limit(_ value: Int, option: String = "--limit") throws(SyncError) -> Int? {
    guard (0...100_000).contains(value) else {
      throw SyncError(.usage, "\(option) \(value) is out of range", hint: "give 1 to 100000, or 0 for all")
    }
    return value == 0 ? nil : value
  }
}
