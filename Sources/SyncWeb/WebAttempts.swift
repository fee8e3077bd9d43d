import HTTPTypes
import SyncCore
import Synchronization

/// The wrong passwords and tokens of the last seconds.
final class WebAttempts: Sendable {
  private let passwords = Mutex(AttemptLimit())
  private let tokens = Mutex(AttemptLimit())
  private let clock: any SyncClock
  private let said: @Sendable (String) -> Void

  init(clock: any SyncClock, said: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.said = said
  }

  /// - Throws: `WebFault` for a wrong password. After too many wrong ones, a right password is refused, too.
  func expectPassword(_ client: WebClient, isRight: () -> Bool) throws(WebFault) {
    // One access for all steps, so that requests at the same time cannot try more passwords.
    let fault = passwords.withLock { limit -> WebFault? in
      if let wait = limit.wait(client, now: clock.now()) { return .tooManyAttempts(wait) }
      if isRight() { return nil }
      limit.noteWrong(client, now: clock.now())
      return .unauthorized
    }
    guard let fault else { return }
    if fault.status == .unauthorized { said("wrong password for the pages, from \(client.text)") }
    throw fault
  }

  /// Returns the error for a wrong token. A right token is never refused, because tokens are too long to be guessed,
  /// and other users of this machine could otherwise keep its owner from signing in.
  func wrongToken(_ client: WebClient) -> WebFault {
    let wait = tokens.withLock { limit -> Duration? in
      if let wait = limit.wait(client, now: clock.now()) { return wait }
      limit.noteWrong(client, now: clock.now())
      return nil
    }
    if let wait { return .tooManyAttempts(wait) }
    said("wrong token for the pages, from \(client.text)")
    return .wrongToken
  }
}
