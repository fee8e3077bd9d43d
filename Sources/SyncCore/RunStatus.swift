/// The state of a run in the ledger. The raw value is part of the public contract. `running` is the only state that is
/// not final.
package enum RunStatus: String, Sendable, Codable {
  case running
  case complete
  /// The walk reached the end without a sign that an item is missing, but also without evidence that none was removed
  /// while the walk read the list (`Certificate.Evidence`). Apart from the word, the run is like a complete run.
  case unproven
  /// The list kept changing during the walk, or contained fewer items than it claimed.
  case inconsistent
  /// Pages are missing, for example because of holes, a page cap, or `--max-pages`.
  case partial
  /// An error ended the run. `RunReport.error` has the reason.
  case failed
  /// The run was cancelled, for example by a signal. It can be resumed.
  case interrupted

  /// Whether the walk reached the end of the list.
  package var isEnd: Bool { isWhole || self == .inconsistent }

  /// Whether the walk reached the end of the list without a sign that an item is missing.
  package var isWhole: Bool { self == .complete || self == .unproven }
}
