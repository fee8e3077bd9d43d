import SyncCore
import SyncPostgres

/// The settings `history.positions` and `history.retention`. A retention of `nil` means that rows are kept forever.
package struct HistoryConfiguration: Sendable {
  /// The history is exact for the positions from 1 to this number.
  var positions: Setting<Int>
  package let retention: Setting<Duration?>

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    positions = try choice.setting("SYNCCTL_HISTORY_POSITIONS", file?.texts["history.positions"])
      .number("history.positions", standard: Limits.historyPositions, 1...Limits.mostHistoryPositions)
    retention = try Self.retention(
      choice.setting("SYNCCTL_HISTORY_RETENTION", file?.texts["history.retention"]), "history.retention")
  }

  package var publishing: [String] { ["\(positions.value)"] }

  static func retention(
    _ setting: Setting<String>?, _ key: String, standard: Duration? = nil
  ) throws(SyncError) -> Setting<Duration?> {
    guard let setting else { return Setting(standard, .standard) }
    if setting.value == "forever" { return Setting(nil, setting.origin) }
    guard let value = Duration(configured: setting.value),
      (Limits.shortestHistory...Limits.longestHistory).contains(value)
    else {
      throw SyncError(
        .configuration,
        "\(setting.origin): \(key): \(Excerpt.of(setting.value, scalars: 40)) is not a valid retention time",
        hint: "give 1d or more, e.g. 730d, or forever")
    }
    return Setting(value, setting.origin)
  }
}

extension Duration {
  package var wholeDays: Int { Int((components.seconds + 86_399) / 86_400) }
}
