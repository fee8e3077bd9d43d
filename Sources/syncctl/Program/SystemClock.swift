import SyncCore

/// The machine's clock behind the engine's seam; it goes on while the machine sleeps.
struct SystemClock: SyncClock {
  private let start = ContinuousClock.now

  func now() -> Duration { start.duration(to: .now) }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
