/// What an implementation does not keep of its protocol's promises.
package struct ConformanceFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Tests are not imported here, so a check throws what a test would record.
func promise(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(ConformanceFailure) {
  if !isKept { throw ConformanceFailure(description: promise()) }
}

func promise<T: Equatable>(
  _ found: T, _ expected: T, _ promise: @autoclosure () -> String
) throws(ConformanceFailure) {
  if found != expected {
    throw ConformanceFailure(description: "\(promise()): expected \(expected), found \(found)")
  }
}

/// The error of this type that `body` throws; other errors are thrown on.
func thrown<E: Error>(_ type: E.Type, by body: () async throws -> Void) async throws -> E? {
  do {
    try await body()
    return nil
  } catch let error as E {
    return error
  }
}
