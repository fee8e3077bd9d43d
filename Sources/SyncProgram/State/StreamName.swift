import SyncCore
import SyncPostgres

struct StreamName: Hashable, Sendable {
  let source: String
  let name: String
}
