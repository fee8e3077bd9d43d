import SyncCore
import Testing

@testable import SyncProgram

@Suite struct RequestForecastTests {
  private static let limits = [
    [RateWindow(requests: 3, interval: .seconds(1)), RateWindow(requests: 60, interval: .seconds(60))]
  ]

  /// A service that answers at once, with 120 requests: 60 in the first 20 s, and 60 from second 60 on.
  @Test("the forecast knows the pause of a window before it comes, and does not change in it", arguments: [10, 40, 60])
  func windows(sent: Int) throws {
    var forecast = Self.forecast
    for count in 1...sent { forecast.sent(count, now: .milliseconds(count * 333)) }
    let now = Duration.milliseconds(sent * 333)
    #expect(try abs(seconds(forecast.remaining(120 - sent, now: now)) + now / .seconds(1) - 79) < 2)
    if sent == 60 {
      forecast.waits(for: .seconds(40), now: now)
      for later in [25, 40, 59] {
        #expect(try abs(seconds(forecast.remaining(60, now: .seconds(later))) + Double(later) - 79) < 2)
      }
    }
  }

  @Test("a service that is slower than its limit is forecast by its pace, without the waits")
  func slowService() throws {
    var forecast = Self.forecast
    for count in 1...10 { forecast.sent(count, now: .seconds(count * 3)) }
    #expect(try seconds(forecast.remaining(50, now: .seconds(30))) == 150)
    forecast.waits(for: .seconds(600), now: .seconds(30))
    // Requests that wait at the same time wait once.
    forecast.waits(for: .seconds(600), now: .seconds(30))
    forecast.waits(for: .seconds(300), now: .seconds(60))
    #expect(try seconds(forecast.remaining(50, now: .seconds(630))) == 150)
    forecast.sent(11, now: .seconds(633))
    #expect(try seconds(forecast.remaining(50, now: .seconds(633))) == 150)
  }

  @Test func nothingIsForecastBeforeTheFirstAnswer() {
    var forecast = Self.forecast
    #expect(forecast.remaining(10, now: .seconds(5)) == nil)
    #expect(forecast.remaining(0, now: .seconds(5)) == .zero)
    forecast.sent(1, now: .milliseconds(100))
    #expect(forecast.remaining(10, now: .milliseconds(100)) == nil)
    #expect(forecast.remaining(Int(Int32.max), now: .seconds(1)) != nil)
  }

  private static var forecast: RequestForecast {
    var forecast = RequestForecast(now: .zero)
    forecast.limits = limits
    return forecast
  }

  private func seconds(_ duration: Duration?) throws -> Double { try #require(duration) / .seconds(1) }
}
