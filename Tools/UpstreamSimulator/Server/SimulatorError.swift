package enum SimulatorError: Error, CustomStringConvertible, Equatable {
  case addressUnusable(host: String, port: Int, reason: String)
  case recordingUnreadable(path: String, reason: String)
  case logUnwritable(path: String, reason: String)

  package var description: String {
    switch self {
    case .addressUnusable(let host, let port, let reason):
      "cannot listen on \(host):\(port): \(reason); choose another --port (0 takes a free one) or --host"
    case .recordingUnreadable(let path, let reason):
      "cannot serve the recording at \(path): \(reason); name the folder of a recording"
    case .logUnwritable(let path, let reason):
      "cannot write the request log \(path): \(reason); choose another --log"
    }
  }

  package var exitCode: Int32 {
    switch self {
    case .addressUnusable: 69
    case .recordingUnreadable: 66
    case .logUnwritable: 73
    }
  }
}
