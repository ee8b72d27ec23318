# For Doxygen alone: item.hpp with the rows of item_fields.def written out where they are included,
# so that every structure and every member of an item has its own documentation.
function meaning(doc, type, presence) {
  if (presence == "required") return doc ". Never null."
  return doc "." (type == "std::int64_t" ? " Here 0 is null." : "")
}
function write_out(row,    kind, names, part, doc) {
  kind = row
  sub(/^FRESHET_/, "", kind)
  sub(/\(.*/, "", kind)
  names = row
  sub(/^[^(]*\(/, "", names)
  doc = names
  sub(/[,)]? *".*/, "", names)       # what stands before the text
  sub(/^[^"]*"/, "", doc)
  sub(/"\)$/, "", doc)
  split(names, part, /, */)
  if (kind == "PART") print "/// " doc ".\nstruct " part[1] " {"
  if (kind ~ /ITEM$/) print "/// " doc ".\nstruct " part[1] " : item_common {"
  if (kind == "COUNTED_ITEM") print "  " part[2] " metrics;  ///< " derived["metrics"] "."
  if (kind == "FIELD") print "  " part[1] " " part[2] ";  ///< " meaning(doc, part[1], part[3])
  if (kind == "OBJECT") print "  struct " part[1] " " part[2] ";  ///< " doc "."
  if (kind == "LIST") print "  std::vector<struct " part[1] "> " part[2] ";  ///< " doc "."
  if (kind == "DERIVED") derived[part[1]] = doc
  if (kind == "END") print "};\n"
}
continued || /^ *#define FRESHET_/ { continued = /\\$/; next }
/#include <freshet\/item_fields.def>/ {
  # Included first for the structures, and once more for a list of their names.
  while (!written_out && (getline row < table) > 0) {
    if (row ~ /^FRESHET_/) write_out(row)
  }
  written_out = 1
  next
}
{ print }
