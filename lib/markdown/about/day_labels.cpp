// The words are beginnings: languages end them in many ways.
#include <array>
#include <markdown/about/day_labels.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

namespace {

/// What stands beside the day of a change.
constexpr auto words_for_changes = std::to_array<std::string_view>(
    {"updated",      "modified",  "last edit",  "edited",   "reviewed",  "revised",
     "aktualisiert", "geändert",  "stand:",     "actualiz", "modific",   "mis à jour",
     "mise à jour",  "maj",       "modifié",    "aggiorna", "atualiza",  "bijgewerkt",
     "gewijzigd",    "oppdatert", "uppdaterad", "ändrad",   "opdateret", "päivitetty",
     "muokattu",     "zaktualiz", "aktualiz",   "upraveno", "frissít",   "actualizat",
     "güncelle",     "обновл",    "изменен",    "оновлено", "ενημ",      "diperbarui",
     "cập nhật",     "更新",      "업데이트",   "수정",     "تحديث",     "עודכן",
     "अपडेट",         "अद्यतन"});

/// What stands right before the day on which somebody became a member.
constexpr auto words_for_joining = std::to_array<std::string_view>(
    {"joined",          "join date",   "registered",  "member since",  "registriert",
     "mitglied seit",   "dabei seit",  "inscription", "inscrit",       "miembro desde",
     "registrado",      "iscritto",    "registrato",  "geregistreerd", "lid geworden",
     "зарегистрирован", "регистрация", "dołączył",    "rejestracja",   "katılma",
     "üyelik"});

/// What stands right before the day of publication.
constexpr auto words_for_publication = std::to_array<std::string_view>(
    {"published",   "posted",     "publication", "issued",    "veröffentlicht", "erschienen",
     "publié",      "publicado",  "publicat",    "pubblicat", "gepubliceerd",   "geplaatst",
     "publisert",   "publicerad", "udgivet",     "julkaistu", "opublikowan",    "publikov",
     "zveřejněn",   "megjelen",   "yayın",       "δημοσι",    "опубликован",    "опубліковано",
     "diterbitkan", "đăng",       "发布",        "發布",      "发表",           "發表",
     "公開日",      "掲載日",     "投稿日",      "게시",      "등록일",         "نشر",
     "פורסם",       "प्रकाशित"});

}  // namespace

bool says_change(std::string_view folded) { return contains_any(folded, words_for_changes); }

bool says_joining(std::string_view folded) { return contains_any(folded, words_for_joining); }

bool says_publication(std::string_view folded) {
  return contains_any(folded, words_for_publication);
}

}  // namespace freshet::markdown
