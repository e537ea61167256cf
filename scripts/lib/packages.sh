# Whether the installed packages are those of the lockfile. Needs say.sh; works in the current folder.

# packages_record: one line for the lockfile and for what npm itself recorded of its last installation.
packages_record() {
  cksum package-lock.json node_modules/.package-lock.json
}

# packages_fresh: true when this script installed the packages of this lockfile, and npm has installed nothing since.
# Times of files say nothing: a clone, a restored backup or a clock that was set back gives any.
packages_fresh() {
  [ -f node_modules/.setup ] && [ -f node_modules/.package-lock.json ] || return 1
  [ "$(cat node_modules/.setup)" = "$(packages_record)" ]
}
