import Synchronization

/// The upstream's answers must depend only on the address of the request.
package final class RememberedUpstream: SimulatedUpstream {
  package static let limit = 512 << 20

  private let upstream: any SimulatedUpstream
  private let memory = Mutex((answers: [String: SimulatedAnswer](), bytes: 0))

  package init(_ upstream: any SimulatedUpstream) { self.upstream = upstream }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" else { return await upstream.answer(request) }
    if let remembered = memory.withLock({ $0.answers[request.target] }) { return remembered }
    let answer = await upstream.answer(request)
    guard answer.status == 200 else { return answer }
    memory.withLock { memory in
      guard memory.bytes + answer.body.count <= Self.limit, memory.answers[request.target] == nil else { return }
      memory.bytes += answer.body.count
      memory.answers[request.target] = answer
    }
    return answer
  }
}
