import SyncCore
import SyncPostgres

struct RetentionConfiguration: Sendable {
  let settings: [(kept: Retention, time: Setting<Duration?>)]

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    var settings: [(Retention, Setting<Duration?>)] = []
    for kept in Retention.allCases {
      let key = "retention.\(kept.rawValue)"
      let setting = choice.setting("SYNCCTL_RETENTION_\(kept.rawValue.uppercased())", file?.texts[key])
      settings.append((kept, try HistoryConfiguration.retention(setting, key, standard: kept.standard)))
    }
    self.settings = settings
  }

  var configured: [(Retention, days: Int?)] {
    settings.filter { $0.time.origin != .standard }.map { ($0.kept, $0.time.value?.wholeDays) }
  }
}
