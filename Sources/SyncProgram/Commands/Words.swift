package import SyncCore
import SyncPostgres

extension Moment {
  /// Parses the value of an option, such as `2026-11-21` or `7d`.
  /// - Parameter option: The option's name in the error, such as `--since`.
  /// - Throws: `SyncError` `.usage` if the word is neither a time nor an age.
  package init(_ word: String, option: String) throws(SyncError) {
    guard let moment = Moment(word) else {
      throw SyncError(.usage, "\(option): \(Excerpt.of(word, scalars: 40)) is not a time", hint: Moment.hint)
    }
    self = moment
  }
}

extension SyncError {
  /// Returns a `.usage` error for a word that is not in a short list. The hint has the nearest word and the whole list.
  ///
  /// - Parameter what: The noun for the word, as in `column`.
  package static func unknown(_ what: String, _ word: String, _ known: [String]) -> SyncError {
    SyncError(
      .usage, "there is no \(what) \(Excerpt.of(word, scalars: 40))", hint: Suggestion.choice(for: word, among: known))
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// Returns the case whose raw value is the word.
  ///
  /// - Parameter what: The noun for the word in the error.
  /// - Throws: `SyncError` `.usage`, whose hint lists `known`.
  package static func named(
    _ word: String, _ what: String, among known: [Self] = Array(allCases)
  ) throws(SyncError) -> Self {
    if let found = known.first(where: { $0.rawValue == word }) { return found }
    throw SyncError.unknown(what, word, known.map(\.rawValue))
  }
}

/// The ranges of options that several commands have.
package enum Bounds {
  /// Checks the value of an option for a number of rows.
  /// - Parameter option: The option's name in the error.
  /// - Returns: The number, or `nil` for 0, which means no limit.
  /// - Throws: `SyncError` `.usage` unless the value is from 0 to 100,000.
  package static func limit(_ value: Int, option: String = "--limit") throws(SyncError) -> Int? {
    guard (0...100_000).contains(value) else {
      throw SyncError(.usage, "\(option) \(value) is out of range", hint: "give 1 to 100000, or 0 for all")
    }
    return value == 0 ? nil : value
  }
}
