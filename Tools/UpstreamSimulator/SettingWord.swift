struct SettingWord {
  let text: Substring
  let name: String
  let value: String?

  private init(_ text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
    self.text = text
    name = parts[0]
    value = parts.count > 1 ? parts[1] : nil
  }

  static func list(_ text: String) -> [SettingWord] {
    text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }.map { SettingWord($0) }
  }

  func problem(_ advice: String) -> ChaosError { ChaosError("`\(text)`: \(advice)") }

  func number(_ range: ClosedRange<Int>) throws(ChaosError) -> Int {
    guard let number = value.flatMap({ Int($0) }), range.contains(number) else {
      throw problem("write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func rate(most: Double = 1) throws(ChaosError) -> Double {
    guard let rate = value.flatMap({ Double($0) }), (0...most).contains(rate) else {
      throw problem("write a number from 0 to \(Int(most)), as in \(name)=0.01")
    }
    return rate
  }
}
