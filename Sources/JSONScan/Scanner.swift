/// The state of one scan. It uses raw buffers, because the scanner must be fast in debug builds too. Every read of
/// `input` follows a check against `count`. Only `put`, `copy` and `asciiRun` write, and they check against `capacity`.
struct Scanner: ~Copyable {
  struct Frame {
    let isObject: Bool
    let outputStart: Int
    let memberBase: Int
    /// The number of steps on the items path before this container. -1 if the container is not on the path.
    let pathLevel: Int
    /// The number of items before this container.
    let itemBase: Int
    var index = 0
    var isSorted = true
  }

  /// What the items path leads to.
  enum PathEnd {
    /// An array of items.
    case array
    /// One item.
    case object
    /// An array of items, or one item.
    case either
  }

  /// A step of the items path, with the name as a scanner compares it.
  enum PathStep {
    case member(Name)
    case element(Int)
    case elements
    case values

    init(_ step: JSONScan.Step) {
      switch step {
      case .member(let name): self = .member(Name(name))
      case .element(let index): self = .element(index)
      case .elements: self = .elements
      case .values: self = .values
      }
    }

    var isInObject: Bool {
      switch self {
      case .member, .values: true
      case .element, .elements: false
      }
    }
  }

  enum Fault: Error {
    case bad(BadItemReason, offset: Int)
    case tooManyItems(offset: Int)
  }

  let input: UnsafePointer<UInt8>
  let count: Int
  let output: UnsafeMutablePointer<UInt8>
  let scratch: UnsafeMutablePointer<UInt8>
  let capacity: Int
  let arrays: JSONScan.Arrays
  let limits: JSONScan.Limits
  let itemsPath: [JSONScan.Step]
  let pathEnd: PathEnd
  let steps: [PathStep]
  /// The number of steps before and with the first one that can lead to several values. Larger than all levels without
  /// such a step.
  let manyLevel: Int
  /// The level of the last step `.values`, whose member names are returned with the items. -1 without such a step, or
  /// if the names are not returned.
  let namesLevel: Int
  let counterNames: [Name]
  let keyName: Name?

  var position = 0
  var written = 0
  var frames = Stack<Frame>(capacity: 32)
  var members = Stack<Member>(capacity: 256)
  var order: [Int] = []
  var repairs = Repairs()
  /// The number of containers around the current item. These containers do not count towards the item's depth.
  var itemFloor = 0
  var nextPathLevel = -1
  var fault: JSONScanError.NoItems.Why? = .missing
  var items: [ScannedItemResult] = []
  var counterMembers: [CounterMember] = []
  var key: Range<Int>?
  var hasOddNumbers = false

  /// - Parameter workspace: `2 * capacity(for: body)` bytes that must outlive the scanner.
  init(
    _ body: UnsafeBufferPointer<UInt8>, workspace: UnsafeMutablePointer<UInt8>, itemsPath: [JSONScan.Step],
    end: PathEnd, counterMembers: Set<String>, keyMember: String?, keepsMemberNames: Bool,
    arrays: JSONScan.Arrays = .ordered, limits: JSONScan.Limits
  ) {
    capacity = Self.capacity(for: body)
    output = workspace
    scratch = workspace + capacity
    // The buffer of an empty body can have no address.
    input = body.baseAddress ?? UnsafePointer(workspace)
    count = body.count
    self.arrays = arrays
    self.limits = limits
    self.itemsPath = itemsPath
    pathEnd = end
    steps = itemsPath.map { PathStep($0) }
    manyLevel = itemsPath.firstIndex(where: \.isMany).map { $0 + 1 } ?? .max
    namesLevel = keepsMemberNames ? itemsPath.lastIndex(of: .values) ?? -1 : -1
    counterNames = counterMembers.map { Name($0) }
    keyName = keyMember.map { Name($0) }
  }

  /// The buffer size for a body's canonical form. `asciiRun` and `prefix` can access up to 8 bytes after the text.
  static func capacity(for body: UnsafeBufferPointer<UInt8>) -> Int { body.count + 8 }

  mutating func page() throws(JSONScanError) -> ScannedPage {
    ScannedPage(envelope: try envelope(), items: items, envelopeRepairs: repairs)
  }

  mutating func singleItem() throws(JSONScanError) -> ScannedItem {
    let envelope = try envelope()
    guard case .item(let item)? = items.first else {
      throw .noItems(.init(why: .missing, itemsPath: itemsPath, envelope: envelope))
    }
    return item
  }

  private mutating func envelope() throws(JSONScanError) -> [UInt8] {
    nextPathLevel = 0
    do throws(Fault) {
      try start()
      try value()
      try end()
    } catch {
      throw scanError(error)
    }
    let envelope = Array(UnsafeBufferPointer(start: output, count: written))
    if let fault {
      throw .noItems(.init(why: fault, itemsPath: itemsPath, envelope: envelope))
    }
    return envelope
  }

  mutating func document() throws(JSONScanError) -> ScannedItem {
    do throws(Fault) {
      try start()
      let document = try item()
      try end()
      return document
    } catch {
      throw scanError(error)
    }
  }

  private func scanError(_ fault: Fault) -> JSONScanError {
    switch fault {
    case .bad(let reason, let offset): .malformed(reason, offset: offset)
    case .tooManyItems(let offset): .tooManyItems(limit: limits.items, offset: offset)
    }
  }

  private mutating func start() throws(Fault) {
    if count >= 3, input[0] == 0xEF, input[1] == 0xBB, input[2] == 0xBF { position = 3 }
    skipWhiteSpace()
    if position >= count { throw syntax("the body is empty") }
    let first = input[position]
    let second = position + 1 < count ? input[position + 1] : 0x20
    if first == 0 || second == 0 || (first >= 0xFE && second >= 0xFE) {
      throw syntax("the body is not UTF-8 (UTF-16 or UTF-32, by its first bytes)")
    }
  }

  private mutating func end() throws(Fault) {
    skipWhiteSpace()
    if position < count { throw syntax("unexpected bytes after the end of the document") }
  }

  mutating func value() throws(Fault) {
    let floor = frames.count
    while true {
      if try open() { continue }
      var ended = true
      while ended {
        if frames.count == floor { return }
        ended = try proceed()
      }
    }
  }

  /// Scans a scalar or an empty container, or opens a container. Returns true if the container has a value.
  private mutating func open() throws(Fault) -> Bool {
    skipWhiteSpace()
    guard position < count else { throw syntax("the text ends where a value should begin") }
    let level = nextPathLevel
    nextPathLevel = -1
    let byte = input[position]
    if level >= 0, try follow(byte, at: level) { return false }
    switch byte {
    case UInt8(ascii: "{"):
      try push(isObject: true, pathLevel: pathLevel(level, inObject: true))
      skipWhiteSpace()
      if position < count, input[position] == UInt8(ascii: "}") {
        try close()
        return false
      }
      try name()
      return true
    case UInt8(ascii: "["):
      try push(isObject: false, pathLevel: pathLevel(level, inObject: false))
      skipWhiteSpace()
      guard position < count, input[position] == UInt8(ascii: "]") else {
        beginElement()
        return true
      }
      try close()
      return false
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: throw syntax("expected a value")
    }
    return false
  }

  /// Scans the items if a value on the items path has them, and otherwise notes why it has none.
  /// - Returns: Whether the value was scanned.
  private mutating func follow(_ byte: UInt8, at level: Int) throws(Fault) -> Bool {
    let isObject = byte == UInt8(ascii: "{")
    let isArray = byte == UInt8(ascii: "[")
    let isBelowMany = level >= manyLevel
    if level == steps.count {
      if isArray, pathEnd != .object {
        try scanItems()
        fault = nil
        return true
      }
      if isObject, pathEnd != .array || isBelowMany {
        try scanLoneItem()
        fault = nil
        return true
      }
    } else if isObject ? steps[level].isInObject : isArray && !steps[level].isInObject {
      // A list of lists exists, also if it has no list.
      if !isBelowMany { fault = level + 1 == manyLevel ? nil : .missing }
      return false
    }
    guard !isBelowMany else {
      // A list without a value, as GraphQL's null for an item that must not be read, has no item. Any other value is
      // an item that is then rejected.
      guard byte != UInt8(ascii: "n") else { return false }
      try scanLoneItem()
      return true
    }
    let needsArray = level == steps.count ? pathEnd != .object : !steps[level].isInObject
    fault = needsArray ? .notAnArray : isObject ? .missing : .notAnObject
    return false
  }

  /// Returns `level` if the step at this level leads into an object, or else into an array; -1 if it does not, or if
  /// there is no such step.
  private func pathLevel(_ level: Int, inObject: Bool) -> Int {
    steps.indices.contains(level) && steps[level].isInObject == inObject ? level : -1
  }

  /// Notes whether the element that follows is on the items path.
  private mutating func beginElement() {
    let frame = frames[frames.count - 1]
    guard frame.pathLevel >= 0 else { return }
    switch steps[frame.pathLevel] {
    case .element(let index) where index == frame.index: nextPathLevel = frame.pathLevel + 1
    case .elements: nextPathLevel = frame.pathLevel + 1
    case .element, .member, .values: break
    }
  }

  /// Continues after a value in the innermost container. Returns true if the container ends, false if a value follows.
  private mutating func proceed() throws(Fault) -> Bool {
    let top = frames.count - 1
    skipWhiteSpace()
    guard position < count else { throw syntax("the text ends inside an object or array") }
    let byte = input[position]
    if frames[top].isObject {
      members[members.count - 1].end = written
      if byte == UInt8(ascii: "}") {
        try close()
        return true
      }
      guard byte == UInt8(ascii: ",") else { throw syntax("expected ',' or '}' after a member") }
      position += 1
      put(byte)
      skipWhiteSpace()
      try name()
    } else {
      if byte == UInt8(ascii: "]") {
        try close()
        return true
      }
      guard byte == UInt8(ascii: ",") else { throw syntax("expected ',' or ']' after an element") }
      position += 1
      put(byte)
      frames[top].index += 1
      beginElement()
    }
    return false
  }

  private mutating func push(isObject: Bool, pathLevel: Int) throws(Fault) {
    if frames.count - itemFloor >= limits.depth {
      throw Fault.bad(.depth(limit: limits.depth), offset: position)
    }
    frames.append(
      Frame(
        isObject: isObject, outputStart: written, memberBase: members.count, pathLevel: pathLevel,
        itemBase: items.count))
    put(input[position])
    position += 1
  }

  private mutating func close() throws(Fault) {
    let frame = frames[frames.count - 1]
    if written - frame.outputStart > limits.itemBytes {
      // The size is checked before the members are sorted, because sorting a huge object takes long.
      throw Fault.bad(.itemBytes(limit: limits.itemBytes), offset: position)
    }
    if frame.isObject { closeObject(frame) }
    put(input[position])
    position += 1
    frames.drop(to: frames.count - 1)
  }

  private mutating func literal(_ text: StaticString) throws(Fault) {
    let length = text.utf8CodeUnitCount
    guard count - position >= length else { throw syntax("expected a value") }
    for index in 0..<length where input[position + index] != text.utf8Start[index] {
      throw syntax("expected a value")
    }
    copy(from: input + position, count: length)
    position += length
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while position < count {
      switch input[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    precondition(written < capacity)
    output[written] = byte
    written += 1
  }

  @inline(__always)
  mutating func copy(from source: UnsafePointer<UInt8>, count length: Int) {
    precondition(length >= 0 && length <= capacity - written)
    (output + written).update(from: source, count: length)
    written += length
  }

  func syntax(_ text: String) -> Fault { Fault.bad(.syntax(text), offset: position) }
}
