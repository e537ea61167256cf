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

# quietly COMMAND…: runs it with its output in the log; shows the end of the log if it fails.
quietly() {
  mkdir -p "$cache"
  status=0
  "$@" >"$cache/setup.log" 2>&1 || status=$?
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
