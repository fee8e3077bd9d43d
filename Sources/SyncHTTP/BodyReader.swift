import SyncCore

/// Collects and decompresses a response body of at most `limit` bytes. Decompresses small pieces, so that memory is
/// reserved before it is allocated.
struct BodyReader {
  enum Fault: Error, Equatable {
    case tooLarge
    case coding(String)
  }

  private(set) var bytes: [UInt8] = []
  private var reservation: ByteReservation?
  private var isEmpty = true
  private let gzip: GzipReader?
  private let limit: Int

  /// Creates a reader for a body with these content codings. Throws `.coding` for codings other than gzip.
  init(codings: [some StringProtocol], limit: Int) throws {
    let codings = codings.map { $0.lowercased() }.filter { $0 != "identity" && !$0.isEmpty }
    switch codings {
    case []: gzip = nil
    case ["gzip"], ["x-gzip"]: gzip = try GzipReader()
    default: throw Fault.coding(codings.joined(separator: ", "))
    }
    self.limit = limit
    bytes.reserveCapacity(min(Limits.usualBodyBytes, limit))
  }

  /// Appends a chunk of the body as it arrived. Throws `.tooLarge` or `GzipMember.Fault.damaged`.
  /// - Parameter reserve: Reserves memory. It is called at most once, before the body exceeds the usual size.
  mutating func add(
    _ chunk: [UInt8], reserve: (_ bytes: Int) async throws -> ByteReservation
  ) async throws {
    isEmpty = isEmpty && chunk.isEmpty
    guard let gzip else { return try await append(chunk[...], reserve) }
    var rest = chunk[...]
    while true {
      let piece = try gzip.unpack(&rest)
      guard !piece.isEmpty else { return }
      try await append(piece, reserve)
    }
  }

  /// Returns the decompressed body and its reservation, if it is large. Throws `GzipMember.Fault.damaged` if the end of
  /// the gzip data is missing.
  func finish() throws -> ([UInt8], ByteReservation?) {
    if let gzip, !isEmpty, !gzip.isComplete { throw GzipMember.Fault.damaged }
    reservation?.shrink(to: bytes.count)
    return (bytes, reservation)
  }

  private mutating func append(
    _ piece: ArraySlice<UInt8>, _ reserve: (_ bytes: Int) async throws -> ByteReservation
  ) async throws {
    let count = bytes.count + piece.count
    guard count <= limit else { throw Fault.tooLarge }
    if reservation == nil, count > Limits.usualBodyBytes {
      reservation = try await reserve(limit)
    }
    bytes += piece
  }
}
