import Foundation
import SyncCore
import SyncProgram

/// Pages of books at `/books?page=N`. The first missing page ends the list.
struct BooksStream: PagedStream {
  let description: StreamDescription

  /// - Parameter baseURL: The address without a final slash.
  init(baseURL: String) {
    description = StreamDescription(
      id: StreamID(source: BooksSource.id, name: "catalogue"), provider: "books", origin: baseURL, pageSize: 10,
      absence: .provesNothing, sql: StreamSQL(folder: "books", scope: ["all"]),
      mappingVersion: Int(Self.reader.mappingVersion))
  }

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(url: "\(description.origin)/books?page=\(address.page)")
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    switch response.status {
    case 200: try Self.reader.page(response.body, request: request)
    case 404: .notFound
    default:
      throw AnswerFault.error(
        response, to: request, said: "", service: "the library",
        unknownRequest: "the library does not know this request; check the base URL", troubled: "the library"
      )
    }
  }

  private struct Envelope: Decodable {
    let pages: Int?
  }

  static let reader = ListReader(
    path: ["books"], idMember: "id", mappingVersion: 1, types: MemberTypes(["title": .string], expected: ["title"]),
    claim: { PageClaim(lastPage: (try? JSONDecoder().decode(Envelope.self, from: $0))?.pages) })
}

struct BooksMapping: DocumentMapping {
  let name = "books"
  let sql = StreamSQL(folder: "books", scope: ["all"])
  var version: Int { Int(BooksStream.reader.mappingVersion) }

  func read(_ document: [UInt8], key: Int64) -> Page.Entry { BooksStream.reader.stored(document) }
}
