// Whoever asks before it is made waits in a list, which is as long as there are requests.
#include <new>
#include <server/mcp/late_document.hpp>
#include <server/mcp/resources.hpp>
#include <utility>

namespace freshet::server::mcp {

late_document::~late_document() {
  if (!maker_.joinable()) return;
  // The last who waited may have been the last who held it.
  if (maker_.get_id() == std::this_thread::get_id()) {
    maker_.detach();
  } else {
    maker_.join();
  }
}

void late_document::tell(taker give) {
  {
    const std::lock_guard lock(mutex_);
    if (made_ == nullptr) {
      waiting_.push_back(std::move(give));
      if (is_making_) return;
      is_making_ = true;
      if (maker_.joinable()) maker_.join();  // one that failed, and has nothing left to do
      maker_ = std::thread([this] { make(); });
      return;
    }
  }
  give(made_.get());
}

void late_document::make() noexcept {
  std::unique_ptr<const prepared_result> made;
  try {
    made = std::make_unique<const prepared_result>(
        prepare_result(one_text(uri_, "application/json", text_())));
  } catch (const std::bad_alloc&) {
    made = nullptr;  // the next who asks tries again
  }
  std::vector<taker> waited;
  const auto* const told = made.get();
  {
    const std::lock_guard lock(mutex_);
    made_ = std::move(made);
    is_making_ = false;
    waited.swap(waiting_);
  }
  for (const auto& each : waited) each(told);
}

}  // namespace freshet::server::mcp
