/// Checks who owns the folders above the data and who can write to them. A user who can rename one of these folders can
/// replace the cluster.
struct FolderTrust: Sendable {
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

  /// The path must be absolute and without symbolic links.
  func doubt(about path: String) -> Doubt? {
    (ClusterLocation.parents(of: path) + [path]).lazy.compactMap(doubt(aboutFolder:)).first
  }

  func doubt(aboutFolder path: String) -> Doubt? {
    guard let found = try? FileOperations.status(path, followingLinks: true) else { return nil }
    guard found.owner == 0 || users.contains(where: { $0.id == found.owner }) || Self.isUnmapped(found.owner) else {
      return .owner(path: path, id: found.owner)
    }
    // In a sticky folder, users cannot rename other users' files.
    guard found.permissions & 0o1000 == 0 else { return nil }
    let isShared = found.permissions & 0o020 != 0 && !isPrivate(group: found.group)
    return isShared || found.permissions & 0o002 != 0 ? .writable(path: path, permissions: found.permissions) : nil
  }

  private func isPrivate(group: UInt32) -> Bool {
    group == 0 || users.contains { $0.group == group && ServerUser.groupName(id: group) == $0.name }
  }

  /// Whether the owner is a user outside this user namespace. Linux shows such a user as the overflow id.
  private static func isUnmapped(_ owner: UInt32) -> Bool {
    guard let text = try? FileOperations.read("/proc/sys/kernel/overflowuid", limit: 32),
      UInt32(text.filter(\.isNumber)) == owner, let map = try? FileOperations.read("/proc/self/uid_map", limit: 4_096)
    else { return false }
    return !map.contains("4294967295")
  }
}
