import LibPQ
import SyncCore

/// What the end of a run does with the list of its walk. It is decided before anything is published.
enum FinishDecision: Sendable {
  /// Publish the list, or confirm that it has not changed.
  case publish(warning: String? = nil)
  /// Publish nothing, because the list is empty, which can be a fault of the service. The run succeeds.
  case keepBack(warning: String)
  /// Publish nothing, because the walk has no list to publish: it is unfinished, failed, or has holes.
  case leave
  /// Publish nothing and fail the run.
  /// - `isConfirmable`: Whether the user can publish the list nevertheless, with the run's id.
  case refuse(SyncError, isConfirmable: Bool)

  /// Changes nothing.
  /// - Parameters:
  ///   - unstored: The readings of a dry run.
  ///   - isUnchanged: Whether the list equals the published list.
  static func decide(
    on ending: WalkEnding, of walk: OpenWalk, stream: StreamDescription,
    unstored: UnstoredReadings = UnstoredReadings(), isUnchanged: Bool = false, _ connection: borrowing PGConnection
  ) throws -> FinishDecision {
    if ending.publishes || ending.isGuarded,
      let refusal = try Publication.refusalOfQuarantined(
        in: walk, stream: stream, unstored: unstored, judged: ending.judged, connection)
    {
      return .refuse(refusal, isConfirmable: false)
    }
    guard ending.publishes else { return .leave }

    let decision = try Publication.decision(
      on: walk, stream: stream, unstored: unstored, isUnchanged: isUnchanged, connection)
    guard case .publish = decision else { return decision }
    return .publish(
      warning: try Publication.otherSpan(of: walk, stream: stream, keys: unstored.keys, connection))
  }
}

/// How the ledger and the report describe a finished run.
struct FinishResult: Sendable {
  private(set) var status: RunStatus
  private(set) var error: SyncError?
  private(set) var warning: String?
  /// Whether a guard stopped the run, so that the user can confirm it.
  private(set) var isGuarded: Bool
  /// Whether the list was published or confirmed.
  private(set) var isPublished = false
  private let isKeptBack: Bool

  /// The result, if a publication succeeds.
  init(_ decision: FinishDecision, of ending: WalkEnding) {
    status = ending.status
    error = ending.error
    warning = ending.warning
    isGuarded = ending.isGuarded
    switch decision {
    case .leave:
      isKeptBack = false
    case .publish(let warning):
      self.warning = warning ?? ending.warning
      isPublished = true
      isKeptBack = false
    case .keepBack(let warning):
      self.warning = warning
      isKeptBack = true
    case .refuse(let refusal, let isConfirmable):
      status = .failed
      error = refusal
      isGuarded = isConfirmable
      isKeptBack = false
    }
  }

  /// Notes that the database refused the publication, which had no effect.
  mutating func failPublication(_ refusal: SyncError, of ending: WalkEnding) {
    status = .failed
    error = refusal
    warning = ending.warning
    isGuarded = false
    isPublished = false
  }

  /// Whether the stream was read to its end and its list is published. A list that was kept back is not fresh.
  func isFresh(_ certificate: Certificate?) -> Bool {
    !isKeptBack && RunReport.isFresh(status, certificate)
  }
}

extension WalkEnding {
  /// Whether a guard stopped the walk before its end.
  fileprivate var isGuarded: Bool { error?.code == .guarded }
}
