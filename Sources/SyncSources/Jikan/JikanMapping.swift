package import SyncCore

package struct JikanMapping: DocumentMapping {
  package static let all: [JikanMapping] =
    JikanKind.allCases.map { JikanMapping(.catalogue($0), name: "jikan \($0.rawValue)") }
    + JikanGenreList.all.map { JikanMapping(.genres($0), name: "jikan \(JikanList.genres($0).name)") }

  package let name: String
  package let sql: StreamSQL
  private let reader: ListReader

  private init(_ list: JikanList, name: String) {
    self.name = name
    sql = StreamSQL(folder: list.folder, scope: list.scope)
    reader = ListReader(model: list.model)
  }

  package var version: Int { Int(reader.mappingVersion) }

  package func read(_ document: [UInt8], key: Int64) -> Page.Entry { reader.stored(document) }
}
