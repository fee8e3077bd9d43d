import SyncCore
import SyncTestKit

@testable import SyncProgram

func load(_ environment: [String: String], yaml: String = "") throws -> Configuration {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return try Configuration.load(configFlag: try folder.write(yaml, to: "syncctl.yaml"), environment: environment)
}

func fault(_ environment: [String: String], yaml: String = "") -> SyncError? {
  do {
    _ = try load(environment, yaml: yaml)
    return nil
  } catch { return error as? SyncError }
}
