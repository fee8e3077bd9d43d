import Testing

@testable import SyncWeb

@Suite("The round values of axes")
struct WebAxisTests {
  @Test(
    "values are multiples of 1, 2 or 5, and no more than the axis has space for",
    arguments: [
      (0, 100, 0, [0, 50, 100]), (0, 92, 0, [0, 50]), (1, 412, 1, [200, 400]),
      (8.71, 8.74, 0.01, [8.71, 8.72, 8.73, 8.74]), (3, 4, 1, [3, 4]), (-30, 30, 0, [-20, 0, 20]),
    ] as [(Double, Double, Double, [Double])])
  func ticks(low: Double, high: Double, unit: Double, ticks: [Double]) {
    let found = WebPlot.ticks(from: low, to: high, most: 4, unit: unit)
    #expect(found.count == ticks.count, "\(found)")
    for (one, other) in zip(found, ticks) { #expect((one - other).magnitude < 1e-9, "\(found)") }
  }

  @Test("an axis without a length, or of values that are no numbers, has no values")
  func nothing() {
    for (low, high) in [(1.0, 1.0), (2, 1), (.nan, 1), (0, .infinity)] {
      #expect(WebPlot.ticks(from: low, to: high, most: 4, unit: 0).isEmpty)
    }
  }

  @Test("large numbers are short")
  func texts() {
    let numbers: [Double] = [0, 2.5, 2000, 15_000, 2_500_000, -20_000]
    #expect(numbers.map(WebPlot.text) == ["0", "2.5", "2000", "15k", "2.5M", "-20k"])
  }

  @Test("the name of a file has no character that ends a header's text")
  func files() {
    #expect(WebFile(name: "a\"b\r\n../ü-1.csv", type: "text/csv", text: "").name == "ab..-1.csv")
  }
}
