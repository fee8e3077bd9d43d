import Synchronization

/// The number of libpq's objects in this process; a test that ends with more than it started with leaks.
package enum LiveHandles {
  private static let connections = Atomic(0)
  private static let results = Atomic(0)

  static func countConnection(_ change: Int) { connections.add(change, ordering: .relaxed) }
  static func countResult(_ change: Int) { results.add(change, ordering: .relaxed) }

  package static var connectionCount: Int { connections.load(ordering: .relaxed) }
  package static var resultCount: Int { results.load(ordering: .relaxed) }
}
