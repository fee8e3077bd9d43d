import Foundation
import JSONScan
import SyncCore
import SyncPostgres

/// The lists that `source check` requests: of each resource with a list for each item of its parent, the list of the
/// first item that the parent's own page has.
struct FirstLists {
  /// The document of the first item by the resource's name.
  private var documents: [String: JSONMember] = [:]

  /// Returns the list to request for a resource; an empty array for a resource of one list.
  /// - Parameter now: Seconds since 1970.
  /// - Returns: `nil` if the parent's page has no item, or if the first item lacks a member.
  func list(
    of resource: Declaration.Resource, parent: Declaration.Resource?, now: Int64
  ) throws(SyncError) -> [StreamList]? {
    guard case .parent(let link)? = resource.lists, let parent else { return try resource.firstList(now: now) ?? [] }
    guard let document = documents[parent.name] else { return nil }
    var values: [String] = []
    for path in link.members {
      guard let text = text(of: parent.memberForChildren(path), in: document, of: parent) else { return nil }
      values.append(text)
    }
    if link.identifies {
      for column in parent.table.keyColumns {
        guard let text = document.at(column.path)?.text else { return nil }
        let isNumber = [.bigint, .integer].contains(column.type.base)
        values.append(isNumber ? text : String(decoding: JSONScan.quoted(text), as: UTF8.self))
      }
    }
    return resource.canBeFilled(with: values) ? [StreamList(name: "first", values: values)] : nil
  }

  /// Returns a member of the first item of the parent's page.
  private func text(
    of member: ParentLists.Member, in document: JSONMember, of parent: Declaration.Resource
  ) -> String? {
    switch member {
    case .document(let path): return document.at(path)?.text
    case .listName: if case .values(_, let values)? = parent.lists { return values.first } else { return nil }
    case .grandparent(let path, _): return parent.parentName.flatMap { documents[$0]?.at(path)?.text }
    }
  }

  /// Notes the first item of a resource's page.
  mutating func note(_ item: PageItem?, of resource: Declaration.Resource) {
    documents[resource.name] = item.flatMap { try? JSONDecoder().decode(JSONMember.self, from: Data($0.document)) }
  }
}
