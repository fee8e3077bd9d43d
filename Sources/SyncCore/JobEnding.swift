/// The final outcome of a run.
package struct JobEnding: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case done, failed
    /// It was stopped at the end of its time.
    case timeout
    /// Its workers have died too often.
    case abandoned
  }

  package let outcome: Outcome
  /// What `syncctl run` would have exited with.
  package let exitStatus: Int
  /// Every stream was walked completely.
  package let isCertified: Bool
  package let error: String?

  package init(outcome: Outcome, exitStatus: Int, isCertified: Bool, error: String?) {
    self.outcome = outcome
    self.exitStatus = exitStatus
    self.isCertified = isCertified
    self.error = error
  }
}
