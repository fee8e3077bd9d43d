/// Who may own or write the folders above the data: a user who can rename one of them can replace the cluster, or make
/// syncctl write where that user may not.
struct FolderTrust: Sendable {
  /// The caller and the server's user; root is trusted in any case.
  let users: [ServerUser]

  enum Doubt: Equatable {
    case owner(path: String, id: UInt32)
    case writable(path: String, permissions: UInt32)

    var text: String {
      switch self {
      case .owner(let path, let id): "\(path) belongs to user \(ServerUser.lookUp(id: id)?.name ?? "\(id)")"
      case .writable(let path, let permissions):
        "\(path) (mode \(String(permissions, radix: 8))) can be written by other users"
      }
    }
  }

  /// The first doubt about the folders of a path that exist, the root first, itself last.
  ///
  /// - Parameter path: absolute and without symbolic links.
  func doubt(about path: String) -> Doubt? {
    (ClusterLocation.parents(of: path) + [path]).lazy.compactMap(doubt(aboutFolder:)).first
  }

  func doubt(aboutFolder path: String) -> Doubt? {
    guard let found = try? FileOperations.status(path, followingLinks: true) else { return nil }
    guard found.owner == 0 || users.contains(where: { $0.id == found.owner }) || Self.isUnmapped(found.owner) else {
      return .owner(path: path, id: found.owner)
    }
    // In a sticky folder users cannot rename the files of others.
    guard found.permissions & 0o1000 == 0 else { return nil }
    let isShared = found.permissions & 0o020 != 0 && !isPrivate(group: found.group)
    return isShared || found.permissions & 0o002 != 0
      ? .writable(path: path, permissions: found.permissions) : nil
  }

  /// Whether a group belongs to a single user: many systems create one for each user, and make new folders writable for
  /// it.
  private func isPrivate(group: UInt32) -> Bool {
    group == 0 || users.contains { $0.group == group && ServerUser.groupName(id: group) == $0.name }
  }

  /// Whether an owner is what a user namespace shows of all users that it does not know, root outside of it for one.
  private static func isUnmapped(_ owner: UInt32) -> Bool {
    guard let text = try? FileOperations.read("/proc/sys/kernel/overflowuid", limit: 32),
      UInt32(text.filter(\.isNumber)) == owner,
      let map = try? FileOperations.read("/proc/self/uid_map", limit: 4_096)
    else { return false }
    return !map.contains("4294967295")
  }
}
