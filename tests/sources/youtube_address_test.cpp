// The forms in which a video of YouTube is addressed.
#include <catch2/catch.hpp>
#include <sources/youtube_address.hpp>

using freshet::sources::youtube_video_at;

TEST_CASE("youtube: every form of a video's address has its id") {
  for (const auto* address :
       {"https://www.youtube.com/watch?v=dQw4w9WgXcQ", "http://youtube.com/watch?t=4&v=dQw4w9WgXcQ",
        "https://m.youtube.com/shorts/dQw4w9WgXcQ?feature=share",
        "https://youtu.be/dQw4w9WgXcQ?t=1", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        "https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=x",
        "https://www.youtube.com/live/dQw4w9WgXcQ"}) {
    INFO(address);
    CHECK(youtube_video_at(address) == "dQw4w9WgXcQ");
  }
}

TEST_CASE("youtube: what is no video's address has none") {
  for (const auto* address :
       {"https://www.youtube.com/watch", "https://www.youtube.com/watch?v=", "https://youtu.be/",
        "https://www.youtube.com/@coastlab", "https://www.youtube.com/playlist?list=PL1",
        "https://example.com/watch?v=dQw4w9WgXcQ", "https://youtube.com.example/shorts/dQw4w9WgXcQ",
        "https://www.youtube.com/shorts/a%2Fb", "ftp://youtu.be/dQw4w9WgXcQ", "dQw4w9WgXcQ", ""}) {
    INFO(address);
    CHECK(youtube_video_at(address).empty());
  }
}
