import Synchronization

/// An upstream whose successful answers are generated once and then sent from memory, so that the simulator does not
/// slow down what is measured.
///
/// For upstreams whose answers depend on the address alone and never change.
package struct RememberedUpstream: SimulatedUpstream {
  /// Bytes of cached bodies; above it, further answers are generated each time.
  package static let limit = 512 << 20

  private let upstream: any SimulatedUpstream
  private let memory = Memory()

  package init(_ upstream: any SimulatedUpstream) { self.upstream = upstream }

  package func answer(_ request: SimulatedRequest) async -> SimulatedAnswer {
    guard request.method == "GET" else { return await upstream.answer(request) }
    if let known = memory.answer(request.target) { return known }
    let answer = await upstream.answer(request)
    if answer.status == 200 { memory.keep(answer, of: request.target) }
    return answer
  }

  private final class Memory: Sendable {
    private let state = Mutex((answers: [String: SimulatedAnswer](), bytes: 0))

    func answer(_ target: String) -> SimulatedAnswer? { state.withLock { $0.answers[target] } }

    func keep(_ answer: SimulatedAnswer, of target: String) {
      state.withLock { state in
        guard state.bytes + answer.body.count <= RememberedUpstream.limit, state.answers[target] == nil else { return }
        state.bytes += answer.body.count
        state.answers[target] = answer
      }
    }
  }
}
