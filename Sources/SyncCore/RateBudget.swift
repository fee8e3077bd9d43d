/// The seam to an origin's budget of requests, which all who talk to that origin draw from: the tasks of one process,
/// or the processes of many machines.
package protocol RateBudget: Sendable {
  /// Reserves the next permit; the order in which calls reach the budget is the order of the permits.
  ///
  /// - Returns: how long to wait, counted from the call's return, until the request may be sent; negative when its
  ///   moment was before. Nothing is reserved if it is longer than `Limits.longestPermitWait`: the budget is spent.
  /// - Throws: `SyncError` when the budget cannot be reached, `CancellationError`. Whoever throws has lost at most one
  ///   permit; no limit is ever exceeded by it.
  func take() async throws -> Duration

  /// No permit of this origin, for anyone, for `duration` from now: the upstream has requested a pause.
  func pause(for duration: Duration) async throws

  /// How long the pause still lasts; zero if there is none. For those who hold a permit from before it.
  func pauseLeft() async throws -> Duration

  /// How much later than others a permit may be used without coming too close to the next; nil without windows.
  var slack: Duration? { get }
}
