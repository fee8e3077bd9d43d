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

  /// A species of the tree, with its ways of evolution in English and the species that evolve from it.
  struct Branch: Sendable, Equatable {
    let id: Int64
    let name: String
    let ways: [String]
    let branches: [Branch]
  }

  /// The trees of the species that evolve from no other. A family has one.
  var trees: [Branch] {
    var shown: Set<Int64> = []
    return roots.compactMap { tree(of: $0, depth: 0, shown: &shown) }
  }

  private func tree(of id: Int64, depth: Int, shown: inout Set<Int64>) -> Branch? {
    guard let node = nodes[id], depth < Self.deepest, shown.insert(id).inserted else { return nil }
    let branches = node.children.compactMap { tree(of: $0, depth: depth + 1, shown: &shown) }
    return Branch(id: id, name: node.name, ways: node.ways, branches: branches)
  }

  func lines(width: Int?, isUTF8: Bool = Glyphs.areUTF8) -> [String] {
    let branches = Branches(isUTF8: isUTF8)
    return trees.flatMap { lines(of: $0, head: "", tail: "", width: width, branches) }
  }

  private func lines(
    of branch: Branch, head: String, tail: String, width: Int?, _ branches: Branches
  ) -> [String] {
    let below = tail + (branch.branches.isEmpty ? branches.blank : branches.trunk)
    var lines: [String] = []
    for (index, text) in texts(of: branch).enumerated() {
      let room = width.map { max(Self.narrowest, $0 - max(head.count, below.count)) }
      for (part, line) in TextLayout.wrap(text, to: room).enumerated() {
        lines.append((index == 0 && part == 0 ? head : below) + line)
      }
    }
    for (index, child) in branch.branches.enumerated() {
      let isLast = index == branch.branches.count - 1
      lines += self.lines(
        of: child, head: tail + (isLast ? branches.last : branches.child),
        tail: tail + (isLast ? branches.blank : branches.trunk), width: width, branches)
    }
    return lines
  }

  private func texts(of branch: Branch) -> [String] {
    guard let first = branch.ways.first else { return [branch.name] }
    return ["\(branch.name): \(first)"] + branch.ways.dropFirst().map { "or \($0)" }
  }

  private static let narrowest = 12
}
