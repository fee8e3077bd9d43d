import SyncCore

extension Declaration {
  /// The rules for walks that request only items that changed since the last walk.
  struct Incremental: Sendable {
    let parameter: String
    /// The path of the member that grows with each change of an item.
    let cursor: [String]
    let initial: String?
    /// How much earlier than the cursor an incremental walk begins.
    let lag: Duration
    /// The age of the last walk of the whole list from which the next walk reads the whole list again.
    let fullEvery: Duration
  }
}

extension Declaration.Incremental {
  /// Returns the value of the parameter of an incremental walk.
  /// - Parameter cursor: The value up to which each change is stored.
  /// - Throws: `SyncError` `.configuration` if changes would be missed, because the lag cannot be subtracted or the
  ///   order of such values is not their order in time.
  func since(after cursor: IncrementalCursor) throws(SyncError) -> String {
    let member = Excerpt.of(self.cursor.joined(separator: "."), scalars: 60)
    let shown = Excerpt.of(cursor.text, scalars: 60)
    let remedy = "use another member as cursor_path, or remove incremental, so that each run reads the whole list"
    guard !cursor.isUnorderedTime else {
      throw SyncError(
        .configuration, "the cursor \(member) has values such as \(shown), which do not sort as texts", hint: remedy,
        disposition: .stopRun)
    }

    guard lag > .zero else { return cursor.text }
    guard let since = cursor.shifted(back: lag) else {
      throw SyncError(
        .configuration,
        "the lag cannot be subtracted from the cursor \(member), which has values such as \(shown)",
        hint: "remove lag, or \(remedy)", disposition: .stopRun)
    }
    return since
  }

  /// Returns what the items of a page show against incremental walks; `nil` if nothing does.
  func fault(in entries: [Page.Entry]) -> String? {
    let documents = entries.compactMap { entry in if case .item(let item) = entry { item.document } else { nil } }
    let cursors = documents.compactMap { IncrementalCursor(document: $0, path: cursor) }
    guard documents.isEmpty || !cursors.isEmpty else {
      return "no item has the cursor \(cursor.joined(separator: ".")), so each run would read the whole list: "
        + "check cursor_path"
    }
    for cursor in cursors {
      do {
        _ = try since(after: cursor)
      } catch {
        return error.description
      }
    }
    return nil
  }
}
