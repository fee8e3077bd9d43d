# Medians of the lines `workload who wall cpu server memory wal images inserted updated deleted right`.

function median(values, count,   i, j, swap) {
  for (i = 2; i <= count; i++)
    for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
      swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
    }
  return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
}

function of(key, column,   i, values) {
  for (i = 1; i <= count[key]; i++) values[i] = figures[key, i, column] + 0
  return median(values, count[key])
}

BEGIN {
  title["W1"] = "W1 first load"; title["W2"] = "W2 nothing changed"; title["W2-etags"] = "W2 with ETags"
  title["W3"] = "W3 1 % changed"; title["W3b"] = "W3b all counters changed"
  title["W3a"] = "W3a all members changed"
  title["W4"] = "W4 documents"; title["W4-build"] = "W4 the same build"; title["W4-full"] = "W4 all fetched again"
  title["W5"] = "W5 recorded PokeAPI"
  title["W7"] = "W7 all changed"; title["W7-dry"] = "W7 its dry run"; title["W8"] = "W8 under a limit"
  target["W1"] = 1.15; target["W2"] = target["W2-etags"] = 0.25; target["W3"] = 0.3; target["W3a"] = target["W3b"] = 0.6
  target["W4"] = 1
  # The download and the floor together.
  target["W5"] = 1.2
  # The floor of a dry run is the run.
  target["W7-dry"] = 2
}

{
  key = $1 " " $2
  if (!(key in count)) order[++keys] = key
  count[key]++
  right[key] = right[key] == "NO" ? "NO" : $12
  for (i = 3; i <= 11; i++) figures[key, count[key], i] = $i
}

END {
  line = "%-24s %-10s %7s %7s %6s %7s %8s %10s %7s %7s %7s %7s %7s %6s %6s\n"
  printf line, "workload", "", "wall s", "x floor", "target", "rows/s", "tool CPU", "server CPU", "peak MB", "WAL MB", \
    "B/row", "B/page", "images", "dead", "right?"
  for (k = 1; k <= keys; k++) {
    key = order[k]; split(key, part, " "); workload = part[1]
    rows = items; floor = workload " floor"
    # A first load is compared with the floor that does all of its work; others with the plain one.
    if (workload == "W1" && part[2] ~ /^(syncctl|full-floor)$/) floor = "W1 full-floor"
    if (workload == "W2-etags") floor = "W2 floor"
    if (workload == "W4-build") floor = "W4-full floor"
    if (workload == "W7-dry") floor = "W7 syncctl"
    if (workload ~ /^W4/) rows = documents
    if (workload ~ /^W7/) rows = 1480
    if (workload == "W8") rows = 25000
    if (workload ~ /^W6-/) {
      rows = substr(workload, 4) + 0
      title[workload] = "W6 " rows (workload ~ /again/ ? " unchanged" : " rows")
    }
    if (workload == "W5") rows = recorded
    base = floor in count ? of(floor, 3) : 0
    if (workload == "W5") base += of("W5 download", 3)
    wall = of(key, 3); memory = of(key, 6); wal = of(key, 7)
    printf line, title[workload], part[2], sprintf("%.2f", wall), \
      base ? sprintf("%.2f", wall / base) : "", \
      part[2] == "syncctl" && workload in target ? sprintf("%.2f", target[workload]) : "", \
      sprintf("%.0f", rows / wall), sprintf("%.2f", of(key, 4)), sprintf("%.2f", of(key, 5)), \
      memory ? sprintf("%.0f", memory / 1024) : "-", sprintf("%.1f", wal / 1e6), sprintf("%.0f", wal / rows), \
      workload ~ /^W[45]/ ? "-" : sprintf("%.0f", wal / (workload == "W8" ? rows / 25 : rows / items * pages)), of(key, 8), of(key, 10) + of(key, 11), right[key]
  }
}
