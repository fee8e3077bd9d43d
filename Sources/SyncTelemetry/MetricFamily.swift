/// A metric's name, type and labels. All its samples have the same labels.
///
/// Names follow <https://prometheus.io/docs/practices/naming/>. ``catalogue`` or ``process`` must contain every metric.
package struct MetricFamily: Sendable, Hashable {
  /// The type of a metric. The raw value is its name in Prometheus' text format.
  package enum MetricType: String, Sendable {
    case counter, gauge, histogram
  }

  package let name: String
  package let type: MetricType
  package let help: String
  /// The names of the labels. Each sample has a value for each label, in this order.
  package let labels: [String]
  /// The ascending upper bounds of a histogram's buckets, without infinity.
  package let buckets: [Double]

  /// Creates a family with this name. `buckets` are ascending bounds without infinity, in the metric's unit, and only
  /// for a histogram. Nothing is checked.
  package init(_ name: String, _ type: MetricType, labels: [String] = [], buckets: [Double] = [], help: String) {
    self.name = name
    self.type = type
    self.help = help
    self.labels = labels
    self.buckets = buckets
  }

  package static let buildInfo = MetricFamily(
    "syncctl_build_info", .gauge, labels: ["version"], help: "The running version; always 1.")
  package static let workerLastTick = MetricFamily(
    "syncctl_worker_last_tick_timestamp_seconds", .gauge, help: "When the worker last checked for due jobs.")
  package static let droppedLabelSets = MetricFamily(
    "syncctl_metrics_dropped_label_sets_total", .counter,
    help: "Times a metric was dropped because its family has too many sets of labels.")

  package static let requests = MetricFamily(
    "syncctl_requests_total", .counter, labels: ["origin", "status"],
    help: "Requests sent to an upstream, by the HTTP status of the response, or error without a response.")
  package static let requestDuration = MetricFamily(
    "syncctl_request_duration_seconds", .histogram, labels: ["origin"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    help: "Time from sending a request to the end of its answer.")
  package static let responseBytes = MetricFamily(
    "syncctl_response_bytes_total", .counter, labels: ["origin"], help: "Bytes of the bodies of answers, decompressed.")
  package static let permitsWaited = MetricFamily(
    "syncctl_permits_waited_total", .counter, labels: ["source"], help: "Requests that had to wait for the rate limit.")
  package static let permitWait = MetricFamily(
    "syncctl_permit_wait_seconds_total", .counter, labels: ["source"], help: "Time spent waiting for the rate limit.")
  package static let retries = MetricFamily(
    "syncctl_retries_total", .counter, labels: ["source"], help: "Repeated requests.")

  package static let pages = MetricFamily(
    "syncctl_pages_total", .counter, labels: ["source", "stream"], help: "Committed pages.")
  package static let rows = MetricFamily(
    "syncctl_rows_total", .counter, labels: ["source", "stream", "outcome"],
    help: "Items of committed pages, by outcome: inserted, updated, unchanged or duplicate.")
  package static let quarantined = MetricFamily(
    "syncctl_quarantined_total", .counter, labels: ["source", "stream"], help: "Items that could not be stored.")
  package static let vanished = MetricFamily(
    "syncctl_vanished_total", .counter, labels: ["source", "stream"], help: "Items marked as removed upstream.")
  package static let runs = MetricFamily(
    "syncctl_runs_total", .counter, labels: ["source", "stream", "status"], help: "Ended runs, by status.")
  package static let runDuration = MetricFamily(
    "syncctl_run_duration_seconds", .histogram, labels: ["source"],
    buckets: [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600],
    help: "Time from the beginning of a run to its end.")

  package static let streamLastComplete = MetricFamily(
    "syncctl_stream_last_complete_timestamp_seconds", .gauge, labels: ["source", "stream"],
    help: "When the stream was last read completely.")
  package static let streamAge = MetricFamily(
    "syncctl_stream_age_seconds", .gauge, labels: ["source", "stream"],
    help: "Time since the stream was last known to be complete.")
  package static let streamStaleAt = MetricFamily(
    "syncctl_stream_stale_timestamp_seconds", .gauge, labels: ["source", "stream"],
    help: "When a stream of a job becomes stale unless a run completes it first.")
  package static let streamEntries = MetricFamily(
    "syncctl_stream_entries", .gauge, labels: ["source", "stream"], help: "Items that the stream lists.")
  package static let streams = MetricFamily(
    "syncctl_streams", .gauge, labels: ["source", "state"],
    help: "Streams in a state that needs attention: held, failed, paused or late.")
  package static let verificationDifferences = MetricFamily(
    "syncctl_verification_differences", .gauge, labels: ["source", "mode"],
    help: "Differences that the latest verification found.")
  package static let verificationTimestamp = MetricFamily(
    "syncctl_verification_timestamp_seconds", .gauge, labels: ["source", "mode"],
    help: "When the latest verification ended.")

  // The label is not `job`, because Prometheus itself uses the label `job` and would rename this label.
  package static let jobRuns = MetricFamily(
    "syncctl_job_runs_total", .counter, labels: ["name", "outcome"], help: "Ended runs of a job, by outcome.")
  package static let jobLag = MetricFamily(
    "syncctl_job_lag_seconds", .gauge, labels: ["name"], help: "Delay of the job's oldest due run; 0 if no run is due.")
  package static let jobLastSuccess = MetricFamily(
    "syncctl_job_last_success_timestamp_seconds", .gauge, labels: ["name"], help: "When the job last succeeded.")
  package static let jobRunning = MetricFamily(
    "syncctl_job_running", .gauge, labels: ["name"], help: "Whether the job is running: 1 or 0.")
  package static let jobTakeovers = MetricFamily(
    "syncctl_job_takeovers_total", .counter, labels: ["name"], help: "Runs of a job taken over from a dead worker.")

  package static let databaseUp = MetricFamily(
    "syncctl_database_up", .gauge, help: "Whether the database answered the last query: 1 or 0.")
  package static let databaseOutages = MetricFamily(
    "syncctl_database_outages_total", .counter, help: "Times the database became unreachable.")
  package static let databaseConnections = MetricFamily(
    "syncctl_database_connections", .gauge, help: "Open database connections of this process.")

  static let processCPU = MetricFamily(
    "process_cpu_seconds_total", .counter, help: "CPU time of the program and of the system on its behalf.")
  static let processResidentMemory = MetricFamily(
    "process_resident_memory_bytes", .gauge, help: "Memory in use.")
  static let processVirtualMemory = MetricFamily(
    "process_virtual_memory_bytes", .gauge, help: "Address space in use.")
  static let processOpenDescriptors = MetricFamily("process_open_fds", .gauge, help: "Open file descriptors.")
  static let processMostDescriptors = MetricFamily(
    "process_max_fds", .gauge, help: "Maximum number of open file descriptors.")
  static let processStartTime = MetricFamily(
    "process_start_time_seconds", .gauge, help: "When the process was started.")

  /// All families of the program, in the order of the exposition. A registry exposes only families of its list.
  package static let catalogue: [MetricFamily] = [
    buildInfo, workerLastTick,
    requests, requestDuration, responseBytes, permitsWaited, permitWait, retries,
    pages, rows, quarantined, vanished, runs, runDuration,
    streamLastComplete, streamAge, streamStaleAt, streamEntries, streams,
    verificationDifferences, verificationTimestamp,
    jobRuns, jobLag, jobLastSuccess, jobRunning, jobTakeovers,
    databaseUp, databaseOutages, databaseConnections,
    droppedLabelSets,
  ]

  /// The families about the process itself, with the names that Prometheus' client libraries use.
  package static let process: [MetricFamily] = [
    processCPU, processResidentMemory, processVirtualMemory, processOpenDescriptors, processMostDescriptors,
    processStartTime,
  ]
}
