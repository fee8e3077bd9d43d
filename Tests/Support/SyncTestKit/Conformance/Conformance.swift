package struct ConformanceFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Throws instead of recording an issue, because this module does not import Testing.
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

func thrown<E: Error>(_ type: E.Type, by body: () async throws -> Void) async throws -> E? {
  do {
    try await body()
    return nil
  } catch let error as E {
    return error
  }
}
