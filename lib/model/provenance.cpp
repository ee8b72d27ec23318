// Where an item comes from, as JSON: no key of the item's own, so it stands in no table of them.
#include <model/json.hpp>
#include <model/object_writer.hpp>

namespace freshet::model {

void append_provenance(std::string& out, const item_provenance& of) {
  out.pop_back();
  out += ",\"provenance\":";
  object_writer to(out);
  to.exact("source", of.source);
  to.text("instance", of.instance);
  to.exact("request_id", of.request_id);
  to.flag("cached", of.cached);
  if (of.is_document) {
    to.text("title", of.title);
    to.text("authors", of.authors);
    to.text("created_at", of.created_at);
  }
  to.close();
  out += '}';
}

}  // namespace freshet::model
