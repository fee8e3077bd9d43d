import SyncCore

/// The declared paths that no page of a run had, from page 1 on. A misspelt path claims nothing, so that nothing else
/// would show the mistake. Pages that did not change since the last walk are not read and do not count.
struct AbsentPaths: Sendable, Equatable {
  private var paths: Set<String>

  /// - Parameter first: The claim of page 1. A service can state a total on page 1 alone.
  init(of first: PageClaim) { paths = first.absentPaths }

  /// Removes the paths that a later page has.
  mutating func read(_ claim: PageClaim) { paths.formIntersection(claim.absentPaths) }

  /// One line for the user, or `nil` if each declared path was on a page.
  var warning: String? {
    guard !paths.isEmpty else { return nil }
    return "no page has \(paths.sorted().joined(separator: " or ")): correct or remove it in the declaration"
  }
}
