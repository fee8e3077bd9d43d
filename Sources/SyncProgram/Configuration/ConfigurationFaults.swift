import SyncCore
import SyncPostgres

/// The errors of a configuration, so that a command reports all of them at once.
struct ConfigurationFaults {
  private(set) var all: [SyncError] = []

  init(_ faults: [SyncError] = []) { all = faults }

  mutating func add(_ fault: SyncError) { all.append(fault) }

  /// Returns what `read` returns, or adds the error that it throws and returns `nil`.
  @discardableResult
  mutating func reading<Value>(_ read: () throws(SyncError) -> Value) -> Value? {
    do {
      return try read()
    } catch {
      add(error)
      return nil
    }
  }

  /// Throws the first error. The other errors are its exhibit.
  func check() throws(SyncError) {
    guard let first = all.first else { return }
    let others = all.dropFirst().map { "also: \($0)" }
    throw SyncError(
      first.code, first.message, hint: first.hint, disposition: first.disposition,
      exhibit: first.exhibit + others + all.dropFirst().flatMap(\.exhibit))
  }
}
