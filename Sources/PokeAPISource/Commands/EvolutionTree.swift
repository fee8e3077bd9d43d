import SyncCore
import SyncProgram

struct EvolutionTree: Sendable, Equatable {
  struct Path: Sendable, Equatable {
    var from: Int64?
    var to: Int64
    var name: String
    var sentence: String
  }

  private struct Branches {
    let child, last, trunk, blank: String

    init(isUTF8: Bool) {
      let texts = ["├─ ", "└─ ", "│  ", "   "].map { Glyphs.shown($0, isUTF8: isUTF8) }
      child = texts[0]
      last = texts[1]
      trunk = texts[2]
      blank = texts[3]
    }
  }

  private struct Node: Sendable, Equatable {
    var name: String
    var ways: [String] = []
    var children: [Int64] = []
  }

  private let roots: [Int64]
  private let nodes: [Int64: Node]

  /// The deepest known family has three stages. The limit protects against faulty data.
  private static let deepest = 20

  /// - Parameter ways: The evolutions, which can contain cycles. Each species is shown at most once.
  init(root: (id: Int64, name: String)?, ways: [Path], fromNames: [Int64: String] = [:]) {
    var nodes: [Int64: Node] = [:]
    var order: [Int64] = []
    func add(_ id: Int64, _ name: String) {
      if nodes[id] == nil {
        nodes[id] = Node(name: name)
        order.append(id)
      }
    }
    if let root { add(root.id, root.name) }
    for way in ways {
      if let from = way.from { add(from, fromNames[from] ?? "\(from)") }
      add(way.to, way.name)
      nodes[way.to]?.name = way.name
      if !way.sentence.isEmpty { nodes[way.to]?.ways.append(way.sentence) }
      if let from = way.from, nodes[from]?.children.contains(way.to) == false { nodes[from]?.children.append(way.to) }
    }
    let reached = Set(ways.compactMap { $0.from == nil ? nil : $0.to })
    var roots = order.filter { !reached.contains($0) }
    if roots.isEmpty { roots = Array(order.prefix(1)) }
    self.roots = roots
    self.nodes = nodes
  }

  func lines(width: Int?, isUTF8: Bool = Glyphs.areUTF8) -> [String] {
    var shown: Set<Int64> = []
    var lines: [String] = []
    let branches = Branches(isUTF8: isUTF8)
    for root in roots {
      append(root, head: "", tail: "", depth: 0, width: width, branches, to: &lines, shown: &shown)
    }
    return lines
  }

  private func append(
    _ id: Int64, head: String, tail: String, depth: Int, width: Int?, _ branches: Branches, to lines: inout [String],
    shown: inout Set<Int64>
  ) {
    guard let node = nodes[id], shown.insert(id).inserted, depth < Self.deepest else { return }
    let children = node.children.filter { !shown.contains($0) }
    let below = tail + (children.isEmpty ? branches.blank : branches.trunk)
    for (index, text) in texts(of: node).enumerated() {
      let room = width.map { max(Self.narrowest, $0 - max(head.count, below.count)) }
      for (part, line) in TextLayout.wrap(text, to: room).enumerated() {
        lines.append((index == 0 && part == 0 ? head : below) + line)
      }
    }
    for (index, child) in children.enumerated() {
      let isLast = index == children.count - 1
      append(
        child, head: tail + (isLast ? branches.last : branches.child),
        tail: tail + (isLast ? branches.blank : branches.trunk), depth: depth + 1, width: width, branches, to: &lines,
        shown: &shown)
    }
  }

  private func texts(of node: Node) -> [String] {
    guard let first = node.ways.first else { return [node.name] }
    return ["\(node.name): \(first)"] + node.ways.dropFirst().map { "or \($0)" }
  }

  private static let narrowest = 12
}
