import SyncCore

extension Declaration {
  /// The rules for walks that request only items that changed since the last walk.
  struct Incremental: Sendable {
    /// The parameter whose whole value is the cursor. `nil` if only texts of parameters or of the body contain the
    /// cursor.
    let parameter: String?
    /// The path of the member that grows with each change of an item.
    let cursor: [String]
    /// The value of the first walk. Not `nil` if a text contains the cursor.
    let initial: String?
    /// Whether the file has the initial value as a number, so that bodies have numbers in place of the cursor.
    var isNumber = false
    /// How much earlier than the cursor an incremental walk begins.
    let lag: Duration
    /// The age of the last walk of the whole list from which the next walk reads the whole list again.
    let fullEvery: Duration
    /// The windows of time that a walk requests one after the other. `nil` if one list has all changes.
    var window: Window?

    /// A rule for windows. They follow each other from the initial value, or from the cursor, until now.
    struct Window: Sendable {
      /// The parameter whose whole value is the end of a window. `nil` if only texts contain the end.
      let parameter: String?
      let length: Duration
    }
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

  /// Returns the windows of a walk as lists, the earliest first. The values of a window are its start and its end, and
  /// its name is its start. Windows from the initial value keep their names from walk to walk. The last window ends in
  /// the future.
  /// - Parameters:
  ///   - since: The value that an incremental walk sends; `nil` for a walk from the initial value.
  ///   - now: Seconds since 1970.
  /// - Returns: `nil` without `window`.
  /// - Throws: `SyncError` `.configuration` if the value is not a time, or if there are more than
  ///   `Limits.mostWindows` windows.
  func windows(since: String?, now: Int64) throws(SyncError) -> [StreamList]? {
    guard let window, let start = since ?? initial else { return nil }
    var windows: [StreamList] = []
    var cursor = IncrementalCursor(text: start)
    // A time without a zone can be up to 14 hours ahead of UTC.
    let end = Int128(now + 14 * 3600) * 1_000_000_000
    while let moment = cursor.nanoseconds, moment < end || windows.isEmpty {
      guard let next = cursor.shifted(back: .zero - window.length).map({ IncrementalCursor(text: $0) }),
        let nextMoment = next.nanoseconds, nextMoment > moment
      else { break }
      windows.append(StreamList(name: cursor.text, values: [cursor.text, next.text]))
      cursor = next
      guard windows.count <= Limits.mostWindows else { throw tooManyWindows(from: start) }
    }
    guard !windows.isEmpty else {
      throw SyncError(
        .configuration, "no window can begin at \(Excerpt.of(start, scalars: 60)), which is not a time",
        hint: "write a time such as 2020-01-01T00:00:00Z or 1577836800 as initial_value, or remove window",
        disposition: .stopRun)
    }
    return windows
  }

  private func tooManyWindows(from start: String) -> SyncError {
    SyncError(
      .configuration,
      "there are more than \(Limits.mostWindows.grouped) windows since \(Excerpt.of(start, scalars: 60))",
      hint: "declare a longer window, or a later initial_value", disposition: .stopRun)
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
