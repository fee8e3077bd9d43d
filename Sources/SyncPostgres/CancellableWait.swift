import Dispatch

/// Waits for a time, by a timer that goes when the wait is cancelled.
///
/// On Linux a cancelled `Task.sleep` keeps its memory until its time has come. Deadlines of minutes, of which there is
/// one for every transaction and none is ever reached, would add up to megabytes.
///
/// - Throws: `CancellationError`.
func waitCancellably(for duration: Duration) async throws {
  let (expiry, continuation) = AsyncStream<Never>.makeStream()
  let timer = DispatchSource.makeTimerSource()
  timer.schedule(deadline: .now() + duration / .seconds(1))
  timer.setEventHandler { continuation.finish() }
  timer.activate()
  defer { timer.cancel() }
  for await _ in expiry {}
  try Task.checkCancellation()
}
