import SyncCore
import SyncEngine
import SyncPostgres
import Synchronization

final class CurrentConfiguration: Sendable {
  private let state: Mutex<(configuration: Configuration, version: Int, watch: ConfigurationWatch)>

  init(_ configuration: Configuration) {
    state = Mutex((configuration, 1, ConfigurationWatch(configuration.file?.value)))
  }

  var value: Configuration { state.withLock { $0.configuration } }

  var table: JobTable { state.withLock { (jobs: $0.configuration.jobs.map(\.scheduled), version: $0.version) } }

  /// Notices changes of the file after the configuration in force was read.
  var watch: ConfigurationWatch { state.withLock { $0.watch } }

  func replace(by configuration: Configuration) {
    let watch = ConfigurationWatch(configuration.file?.value)
    state.withLock { $0 = (configuration, $0.version + 1, watch) }
  }
}
