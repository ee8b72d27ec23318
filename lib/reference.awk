# For Doxygen alone: error.hpp with the rows of errc.def written out where they are included, so that
# every code has its own documentation.
/#include <freshet\/errc.def>/ {
  while ((getline row < table) > 0) {
    if (row !~ /^FRESHET_ERRC\(/) continue
    split(substr(row, length("FRESHET_ERRC(") + 1), part, ", ")
    texts = row
    sub(/^[^"]*"/, "", texts)         # title", "help")
    help = texts
    sub(/^[^"]*", "/, "", help)
    sub(/"\)$/, "", help)
    gsub(/\\"/, "\"", help)
    print "  " part[2] " = " part[1] ",  ///< HTTP " part[3] ", " (part[4] == "true" ? "retryable" : "final") ". " help
  }
  next
}
/FRESHET_ERRC/ { next }
{ print }
