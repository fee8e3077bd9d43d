import SyncCore
import SyncSources

/// Which of Jikan's lists is requested, in words that are checked.
enum JikanListChoice {
  /// - Throws: `SyncError` `.usage` naming the kinds there are.
  static func kind(_ word: String) throws(SyncError) -> JikanKind {
    guard let kind = JikanKind(rawValue: word) else {
      throw SyncError.unknown("kind", word, JikanKind.allCases.map(\.rawValue))
    }
    return kind
  }

  /// - Returns: the upstream's name of the type; nil for all.
  /// - Throws: `SyncError` `.usage` naming the types there are.
  static func subtype(_ word: String, of kind: JikanKind) throws(SyncError) -> String? {
    guard word == "all" || kind.subtypes.contains(word) else {
      throw SyncError.unknown("type of \(kind.rawValue)", word, ["all"] + kind.subtypes)
    }
    return word == "all" ? nil : word
  }
}
