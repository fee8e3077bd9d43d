/// The result of a run of a job, as the ledger of jobs stores it.
package struct JobEnding: Sendable, Equatable {
  /// The state in which a run ends. The raw value is stored.
  package enum FinalState: String, Sendable, CaseIterable {
    /// `done`: the exit status is 0. `failed`: it is not, and no retry is left.
    case done, failed
    /// The run was stopped because it exceeded the job's timeout.
    case timeout
    /// Too many workers died while they ran it (`Limits.jobDeaths`).
    case abandoned
  }

  package let outcome: FinalState
  /// The exit status of the run. 75 if a timeout or the death of workers ended it.
  package let exitStatus: Int
  /// Whether all streams of the job are fresh, and verified if the job asks for a verification.
  package let isCertified: Bool
  package let error: String?

  /// `exitStatus` is 75 if a timeout or the death of workers ended the run. `error` is a text for the user.
  package init(outcome: FinalState, exitStatus: Int, isCertified: Bool, error: String?) {
    self.outcome = outcome
    self.exitStatus = exitStatus
    self.isCertified = isCertified
    self.error = error
  }
}
