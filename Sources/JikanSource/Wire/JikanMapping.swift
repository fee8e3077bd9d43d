import SyncCore
import SyncProgram

/// Derives the columns of stored documents again, for each kind of media and each list of genres.
struct JikanMapping: DocumentMapping {
  static let all: [JikanMapping] =
    JikanKind.allCases.map { JikanMapping(.catalogue($0), name: "jikan \($0.rawValue)") }
    + JikanGenreList.all.map { JikanMapping(.genres($0), name: "jikan \(JikanList.genres($0).name)") }

  let name: String
  let sql: StreamSQL
  private let reader: ListReader

  private init(_ list: JikanList, name: String) {
    self.name = name
    sql = StreamSQL(folder: list.folder, scope: list.scope)
    reader = ListReader(model: list.model)
  }

  var version: Int { Int(reader.mappingVersion) }

  func read(_ document: [UInt8], key: Int64) -> Page.Entry { reader.stored(document) }
}
