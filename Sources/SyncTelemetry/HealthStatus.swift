import SyncCore

/// The result of a check. The text of `unwell` is the reason, which anyone who reaches the listener can read.
package enum HealthStatus: Sendable, Equatable {
  case well
  case unwell(String)
}
