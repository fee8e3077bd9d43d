import LibPQ
import SyncCore

@testable import SyncPostgres

/// A caller of `sync.take_permit_at`, which takes the time from the test.
struct PermitCaller {
  let windows: [RateWindow]
  var origin = "http://test"
  var longestWait: Duration = .seconds(86_400 * 365)
  /// The result of its last call.
  private var known: (reading: Int64, at: Duration)?

  init(_ windows: [RateWindow]) { self.windows = windows }

  /// - Parameters:
  ///   - clock: the database's clock.
  ///   - time: the caller's own clock; nil if the caller does not send it.
  ///   - delay: the duration of the last answer and of this call, unknown to the caller.
  mutating func take(
    clock: Duration, time: Duration? = nil, delay: Duration = .zero, _ connection: borrowing PGConnection
  ) throws -> (wait: Duration, reading: Duration) {
    _ = try connection.query(
      "INSERT INTO sync.rate_budget (origin) VALUES ($1) ON CONFLICT DO NOTHING", [.text(origin)])
    let elapsed = known.flatMap { known in time.map { max(.zero, $0 - known.at - delay).microseconds } }
    let result = try connection.query(
      "SELECT wait, reading FROM sync.take_permit_at($1, $2, $3, $4, $5, $6, $7)",
      [
        .int(clock.microseconds), .text(origin), .ints(windows.map { Int64($0.requests) }),
        .ints(windows.map(\.interval.microseconds)), .int(longestWait.microseconds),
        elapsed == nil ? .null : known.map { .int($0.reading) } ?? .null, elapsed.map { .int($0) } ?? .null,
      ])
    let reading = try result.int(row: 0, column: 1) ?? 0
    known = time.map { (reading, $0) }
    return (.microseconds(try result.int(row: 0, column: 0) ?? 0), .microseconds(reading))
  }
}

extension RateWindow {
  /// The index of the first of the sorted times that exceeds the window's limit, by an independent rule.
  func overfilled(by times: [Duration]) -> Int? {
    times.indices.first { $0 >= requests && times[$0] - times[$0 - requests] < interval }
  }
}
