// From one thread of connections to another. Who shows a valid key lives among those who have, and
// who shows none any more goes back: what the others ask for holds up nobody there. It moves
// between a head and its body, with all that has been read, and while it moves nothing of it is
// under way.
#include <boost/asio/post.hpp>
#include <new>
#include <server/connection.hpp>
#include <server/listener.hpp>

namespace freshet::server {

bool connection::belongs_elsewhere() const noexcept {
  // Where nothing more comes its end is awaited on the socket, and who only asks for the server's
  // health is answered wherever it is.
  if (!core_->beyond || guest_ || end_of_input_ || verdict_.health) return false;
  return (core_->who == clientele::keyed) == verdict_.owner.empty();
}

void connection::set_out() {
  phase_ = phase::crossing;
  deadline_ = clock::time_point::max();
  stand(true);  // its account's next one is not to take its place
  if (!reading_) return post_crossing();
  boost::system::error_code ignored;
  wire_.socket().cancel(ignored);  // on_read() goes on
}

/// Whoever is in the middle of something with it here has ended when it goes.
void connection::post_crossing() {
  boost::asio::post(core_->executor, [self = shared_from_this()] { self->cross(); });
}

void connection::cross() {
  if (phase_ != phase::crossing) return;
  const std::shared_ptr<connection> self = shared_from_this();
  const std::shared_ptr<listener_core> to = core_->beyond();
  if (to == nullptr || !wire_.move_to(to->executor)) return close();
  listener_core& from = *core_;
  --from.population;
  ++to->population;
  from.connections.erase(id_);
  try {
    boost::asio::post(to->executor, [self, to] { self->arrive(to); });
  } catch (const std::bad_alloc&) {
    ++from.population;
    --to->population;
    close();
  }
}

void connection::arrive(const std::shared_ptr<listener_core>& core) {
  core_ = core;
  core_->connections.emplace(id_, shared_from_this());
  if (!core_->everybody->change_lane(id_, core_->lane)) return close();
  enter(phase::head, core_->limits.header_timeout);
  if (hold_input()) go_on(request_reader::progress::body);
  if (phase_ == phase::body) stand(false);  // which may take its time
}

}  // namespace freshet::server
