/**
 * The choice of test files of T2 for a working tree: those that changed since the last whole run, those that show the rooms
 * which changed, and a draw by commit, within a budget of time.
 */
