# Talking to the person in front of the terminal. Everything goes to standard error, so that
# programs started after set-up own standard output.

# step NAME: announces a step and starts its clock.
step() {
  step_name=$1
  step_start=$(date +%s)
}

# work TEXT: says that the step has something to do.
work() {
  echo "setup: $step_name: $1" >&2
}

# finish TEXT: ends the step with its result and its time.
finish() {
  echo "setup: $step_name: $1 ($(($(date +%s) - step_start)) s)" >&2
}

# fail TEXT [COMMAND]: ends the set-up, naming what is missing and the command that helps.
fail() {
  echo "setup: $step_name: $1" >&2
  if [ $# -gt 1 ]; then
    echo "setup: run this, then try again:" >&2
    echo "    $2" >&2
  fi
  exit 1
}

# total: says what the whole set-up took, when it had something to do. Needs $setup_start, in seconds.
total() {
  seconds=$(($(date +%s) - setup_start))
  [ "$seconds" -gt 2 ] || return 0
  mkdir -p "$cache"
  # In a subshell they would be those of the subshell.
  times >"$cache/times"
  processor=$(tr 'ms' '  ' <"$cache/times" | awk '{ all += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", all }')
  rm -f "$cache/times"
  echo "setup: all of it: $seconds s, $processor s of processor time" >&2
}

# crates_done LOG: how many crates of how many cargo has built, as the end of a log tells.
crates_done() {
  tail -c 4000 "$1" 2>/dev/null | tr '\r' '\n' | sed -n 's/.*Building .* \([0-9]*\)\/\([0-9]*\).*/\1 of \2/p' | tail -n 1
}

# show_progress LOG: says how far cargo is: once a second in one line of a terminal, else every 20 seconds. Runs until killed.
show_progress() {
  silent=0
  while :; do
    sleep 1 >/dev/null 2>&1
    silent=$((silent + 1))
    crates=$(crates_done "$1")
    if [ -z "$crates" ]; then
      continue
    elif [ -t 2 ]; then
      printf '\rsetup: %s: %s crates built ' "$step_name" "$crates" >&2
    elif [ "$silent" -ge 20 ]; then
      work "$crates crates built"
      silent=0
    fi
  done
}

# quietly COMMAND…: runs it with its output in the log, and says how many crates are built; shows the end of the log if it
# fails.
quietly() {
  mkdir -p "$cache"
  : >"$cache/setup.log"
  show_progress "$cache/setup.log" &
  progress=$!
  status=0
  CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=80 "$@" >"$cache/setup.log" 2>&1 || status=$?
  kill "$progress" 2>/dev/null || true
  wait "$progress" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ $status != 0 ] || return 0
  tail -n 40 "$cache/setup.log" >&2
  return $status
}

# fingerprint PATH…: one line that changes with any byte of any file below the paths.
fingerprint() {
  find "$@" -type f ! -path '*/node_modules/*' ! -path '*/target/*' ! -path '*/dist/*' -exec cksum {} + |
    LC_ALL=C sort | cksum
}

# fresh STAMP PATH…: true when the stamp file holds the fingerprint of the paths.
fresh() {
  stamp=$1
  shift
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$@")" ]
}

# apt_install WHAT PACKAGE…: installs Debian packages, or says how and stops.
apt_install() {
  what=$1
  shift
  command -v apt-get >/dev/null 2>&1 ||
    fail "$what is missing, and this is no Debian system, so install it your own way"
  [ "$(id -u)" = 0 ] ||
    fail "$what is missing and installing it needs root" "sudo apt-get update && sudo apt-get install -y $*"
  work "installing $*"
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  quietly apt-get update || fail "apt-get update failed" "apt-get update"
  quietly apt-get install -y --no-install-recommends "$@" ||
    fail "$what could not be installed" "apt-get install -y $*"
}
