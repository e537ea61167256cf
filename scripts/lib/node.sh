# The pinned Node inside node_modules. Needs $root.

# Prints where its binary is, or would be, on this platform.
pinned_node() {
  system=$(uname -s | tr '[:upper:]' '[:lower:]')
  case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) processor=$(uname -m) ;;
  esac
  for package in "node-$system-$processor" "node-bin-$system-$processor"; do
    if [ -x "$root/node_modules/$package/bin/node" ]; then break; fi
  done
  echo "$root/node_modules/$package/bin/node"
}
