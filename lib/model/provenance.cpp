// Where an item comes from, as JSON: no key of the item's own, so it stands in no table of them.
#include <model/json.hpp>
#include <model/object_writer.hpp>

namespace freshet::model {

void append_provenance(std::string& out, const item_provenance& provenance) {
  out.pop_back();
  out += ",\"provenance\":";
  object_writer to(out);
  to.exact("source", provenance.source);
  to.text("instance", provenance.instance);
  to.exact("request_id", provenance.request_id);
  to.flag("cached", provenance.cached);
  if (provenance.is_document) {
    to.text("title", provenance.title);
    to.text("authors", provenance.authors);
    to.text("created_at", provenance.created_at);
  }
  to.close();
  out += '}';
}

}  // namespace freshet::model
