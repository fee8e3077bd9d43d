import SyncCore

/// The streams of a manifest, and the parents that only other streams name.
struct ImportedStreams {
  /// The streams in the order of the manifest, then the parents that are not among them. Their names differ.
  private(set) var streams: [(name: String, part: ManifestPart)] = []
  private(set) var remarks = ImportRemarks()

  /// The most parents above a stream, and the most conditions around it.
  private static let deepest = 8
  /// The most streams. References can repeat a list many times.
  private static let most = 10_000

  private var addedCount = 0

  init(_ manifest: Manifest) {
    for stream in manifest.root.member("streams")?.elements ?? [] { add(stream, depth: 0) }
    for stream in streams.map(\.part) { addParents(of: stream) }
    if let dynamic = manifest.root.member("dynamic_streams"), !dynamic.elements.isEmpty {
      remarks.add(
        dynamic.line, nil, "dynamic_streams are not read", "declare a resource for each stream that they create")
    }
  }

  private mutating func add(_ stream: ManifestPart, depth: Int) {
    addedCount += 1
    guard addedCount <= Self.most, depth < Self.deepest else {
      remarks.add(stream.line, nil, "the streams below this line are too many or too deep", "split the manifest")
      return
    }
    switch stream.type {
    case "ConditionalStreams":
      remarks.add(
        stream.line, nil, "the streams below this line have a condition", "remove their resources if it is not met")
      for element in stream.member("streams")?.elements ?? [] { add(element, depth: depth + 1) }
    default:
      guard let whole = Self.whole(stream), let name = stream.member("name")?.text, !name.isEmpty else {
        remarks.add(stream.line, nil, "a stream without a name is not written", "write its name in the manifest")
        return
      }
      if stream.type == "StateDelegatingStream" {
        remarks.add(
          stream.line, name, "left out: incremental_stream, its list of changes", "each run reads the whole list")
      }
      guard !streams.contains(where: { $0.name == name }) else {
        remarks.add(stream.line, name, "another stream has the same name", "rename it in the manifest")
        return
      }
      streams.append((name, whole))
    }
  }

  /// Returns the stream, or the whole list of a stream with another way to read its changes.
  private static func whole(_ stream: ManifestPart) -> ManifestPart? {
    stream.type == "StateDelegatingStream" ? stream.member("full_refresh_stream") : stream
  }

  /// Returns the parent that a `ParentStreamConfig` names.
  static func parent(_ config: ManifestPart) -> ManifestPart? { config.member("stream").flatMap(whole) }

  private mutating func addParents(of stream: ManifestPart, depth: Int = 0) {
    guard depth < Self.deepest else { return }
    guard
      let router = stream.member(["retriever", "partition_router"]) ?? stream.member(["retriever", "stream_slicer"])
    else { return }
    for part in router.isList ? router.elements : [router] {
      for config in part.member("parent_stream_configs")?.elements ?? [] {
        guard let parent = Self.parent(config), let name = parent.member("name")?.text, !name.isEmpty,
          !streams.contains(where: { $0.name == name })
        else { continue }
        streams.append((name, parent))
        remarks.add(
          parent.line, name, "the stream is added, because other streams need it", "it is a resource like the others")
        addParents(of: parent, depth: depth + 1)
      }
    }
  }
}
