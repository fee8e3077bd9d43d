/// A stack with its own memory, because an array's uniqueness checks slow down scans of short values.
struct Stack<Element: BitwiseCopyable>: ~Copyable {
  private var elements: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    elements = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { elements.deallocate() }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return elements[index]
    }
    @inline(__always) _modify {
      precondition(index >= 0 && index < count)
      yield &elements[index]
    }
  }

  /// The elements from `base`, valid until the next `append`.
  subscript(from base: Int) -> UnsafeMutableBufferPointer<Element> {
    precondition(base >= 0 && base <= count)
    return UnsafeMutableBufferPointer(start: elements + base, count: count - base)
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (elements + count).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: elements, count: count)
    elements.deallocate()
    elements = larger
    capacity *= 2
  }

  @inline(__always)
  mutating func drop(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    self.count = count
  }
}
