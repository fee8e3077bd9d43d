import Foundation
import SyncCore
import SyncHTTP
import Synchronization

enum RecordingMode: Sendable {
  case recording(AnswerRecording)
  case replay(Replay)

  static func keeping<R: Sendable>(
    _ recordingMode: RecordingMode?, _ announcer: Announcer, _ body: () async throws -> (result: R, exitStatus: Int32?)
  ) async throws -> (result: R, exitStatus: Int32?) {
    guard case .recording(let recording) = recordingMode else { return try await body() }
    do {
      let ended = try await body()
      let count = try recording.finish(isWhole: ended.exitStatus == nil)
      let requests = count == 1 ? "1 request is" : "\(HumanFormat.count(count)) requests are"
      announcer.note(count == 0 ? "no request was sent, so there is no recording" : "\(requests) recorded")
      return ended
    } catch {
      _ = try? recording.finish(isWhole: false)
      throw error
    }
  }

  var replay: Replay? { if case .replay(let replay) = self { replay } else { nil } }
}

struct Replay: Sendable {
  let transport: ReplayTransport
  let startedAt: Date
  private let version: String
  let clock = ReplayClock(SystemClock())

  init(transport: ReplayTransport, of run: RecordedRun) {
    self.transport = transport
    startedAt = run.startedAt
    version = run.syncctl
  }

  var announcement: String {
    "replay of \(HumanFormat.counted(transport.count, "request")), recorded at \(startedAt.formatted(.iso8601)) by syncctl "
      + "\(Excerpt.of(version, scalars: 40)); no service is queried"
      + (transport.isWhole ? "" : "; the recorded run was stopped")
  }
}

/// A clock that skips waits: each wait moves the clock forward at once. Leases and timeouts use the real clock.
final class ReplayClock: SyncClock {
  private let clock: any SyncClock
  private let skipped = Mutex(Duration.zero)

  init(_ clock: any SyncClock) { self.clock = clock }

  func now() -> Duration { clock.now() + skipped.withLock { $0 } }

  func sleep(for duration: Duration) async throws {
    // Sleeps for at most 1 ms, so that a loop that waits for other tasks does not use all of the CPU.
    try await clock.sleep(for: min(duration, .milliseconds(1)))
    skipped.withLock { $0 += duration }
  }
}

struct UnlimitedBudget: RateBudget {
  var slack: Duration? { nil }

  func take() async throws -> Duration { .zero }
  func pause(for duration: Duration) async throws {}
  func remainingPause() async throws -> Duration { .zero }
}
