import SyncCore
import SyncSources

/// The streams that the command line asks for.
enum StreamChoice {
  static let sources = [SourceID.jikan.rawValue]

  /// - Throws: `SyncError` `.usage` with the nearest known name.
  static func lists(source: String, names: [String]) throws(SyncError) -> [JikanList] {
    guard source == "all" || sources.contains(source) else {
      throw SyncError(
        .usage, "there is no source \(Excerpt.of(source, scalars: 40))",
        hint: hint(source, among: sources + ["all"]))
    }
    guard !names.isEmpty else { return JikanList.defaults }
    var lists: [JikanList] = []
    for name in names {
      let named = JikanList.named(name)
      guard !named.isEmpty else {
        throw SyncError(
          .usage, "jikan has no stream \(Excerpt.of(name, scalars: 60))",
          hint: hint(name, among: JikanList.suggestions(for: name)))
      }
      lists += named.filter { !lists.contains($0) }
    }
    return lists
  }

  /// What a person has looked at is the walk of one stream, and that walk is gone on with.
  ///
  /// - Throws: `SyncError` `.usage` if the command line says anything else.
  static func checkConfirmation(
    of runID: String?, names: [String], lists: [JikanList], isFull: Bool
  ) throws(SyncError) {
    guard runID != nil else { return }
    guard !names.isEmpty, lists.count == 1 else {
      throw SyncError(
        .usage, "--confirm-vanish is about one stream, and \(names.isEmpty ? "none is" : "\(lists.count) are") named",
        hint: "name the stream of that run with --stream; syncctl runs show tells it")
    }
    guard !isFull else {
      throw SyncError(
        .usage, "--confirm-vanish goes on with the walk that was stopped, and --full starts another one",
        hint: "leave --full away")
    }
  }

  private static func hint(_ word: String, among known: [String]) -> String {
    Suggestion.nearest(to: word, among: known).map { "did you mean \($0)?" }
      ?? "known: \(known.prefix(7).joined(separator: ", "))\(known.count > 7 ? ", …" : "")"
  }
}
