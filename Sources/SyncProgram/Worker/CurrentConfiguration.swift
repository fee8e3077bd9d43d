import SyncCore
import SyncEngine
import SyncPostgres
import Synchronization

final class CurrentConfiguration: Sendable {
  private let state: Mutex<(configuration: Configuration, version: Int)>

  init(_ configuration: Configuration) { state = Mutex((configuration, 1)) }

  var value: Configuration { state.withLock { $0.configuration } }

  var table: JobTable { state.withLock { (jobs: $0.configuration.jobs.map(\.scheduled), version: $0.version) } }

  func replace(by configuration: Configuration) { state.withLock { $0 = (configuration, $0.version + 1) } }
}
