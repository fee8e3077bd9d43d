import JSONScan
import SyncCore
import SyncProgram

/// The members that items get before they are stored: those of the parent's key, and the item's name (`key_as`).
extension RestReader {
  /// Returns the item with the members of `addedMembers` and `key_as`, scanned again, because its canonical form, its
  /// hashes and its key change. Its `repairs` are those of the second scan, and so none.
  /// - Throws: `FieldFault` if the item cannot have these members, so that it goes to quarantine.
  func withAddedMembers(_ item: ScannedItem) throws(FieldFault) -> ScannedItem {
    var members = addedMembers.map { (name: $0.key, json: Array($0.value.utf8)) }
    if let name = resource.keyAs {
      guard let memberName = item.memberName else {
        throw FieldFault(reason: "no_id", detail: "\(name): the item is not the value of a member, so it has no name")
      }
      members.append((name, memberName))
    }
    guard !members.isEmpty else { return item }
    guard item.canonical.first == UInt8(ascii: "{") else {
      throw FieldFault(
        reason: "wrong_type", detail: "item: not an object, so it cannot have the member \(members[0].name)")
    }

    let extended: ScannedItem
    do throws(JSONScanError) {
      extended = try JSONScan.document(
        Self.object(members, followedBy: item.canonical), counterMembers: counters, keyMember: keyMember,
        limits: .stored)
    } catch {
      throw FieldFault(reason: "unreadable", detail: "the item with its added members: \(error)")
    }
    // A canonical item has each name once, so a repeated name is the name of an added member.
    guard extended.repairs.duplicateNames == 0 else {
      let names = members.map { Excerpt.of($0.name, scalars: 60) }.sorted().joined(separator: ", ")
      throw FieldFault(
        reason: "member_exists", detail: "the item has a member that would be added (\(names)); choose another name")
    }
    return extended
  }

  /// Returns the canonical object with members before its own.
  private static func object(
    _ members: [(name: String, json: [UInt8])], followedBy canonical: [UInt8]
  ) -> [UInt8] {
    var object = [UInt8(ascii: "{")]
    for (index, member) in members.enumerated() {
      if index > 0 { object.append(UInt8(ascii: ",")) }
      object += JSONScan.quoted(member.name)
      object.append(UInt8(ascii: ":"))
      object += member.json
    }
    let isEmpty = canonical.count == 2
    if !isEmpty { object.append(UInt8(ascii: ",")) }
    return object + canonical.dropFirst()
  }
}

extension ScannedItem {
  /// Whether the received item was changed so that it can be stored.
  var isRepaired: Bool { repairs != Repairs() }
}
