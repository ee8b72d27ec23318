"""The faults and attacks of ../shared/reliability.md, section 6, and what an adversary got through, of
../shared/attacks.md: each with the tests that prove its promise (FILE::NAME below tests, or below the
root, of pytest, Catch2 or node), or with the reason why none can be had here."""

ACCOUNT, HTTP, HERE = "account/", "http/", "faults/"
CALLS, LEDGER = ACCOUNT + "calls_test.cpp::", ACCOUNT + "ledger/"
QUEUE, STACK = ACCOUNT + "commit_queue_test.cpp::", HTTP + "stack_test.cpp::"
HOSTS = HTTP + "hostile_hosts_test.cpp::"
CREDITS, LIFETIME = "e2e/test_credits.py::", "server/test_lifetime.py::"
FRAMING, READER = "server/test_framing.py::", "server/http/request_reader_test.cpp::"
DISK, CHARGES, CROWDS, UPSTREAMS = (
    HERE + f"test_{name}.py::test_row_" for name in ("disk", "charges", "crowds", "upstreams"))
MODEL = ACCOUNT + "model_test.cpp::the accounts do what the reference model does"

TESTS = {
    (1, "kill -9 during debits"): [
        ACCOUNT + "crash_test.cpp::kill -9 at any moment loses no answered debit and charges nothing "
        "that was not begun",
        CREDITS + "test_calls_repeated_across_100_kills_are_charged_exactly_once"],
    (2, "power loss (torn write, lost sync)"): [
        DISK + "02_power_loss", DISK + "02_power_loss_often"],
    (3, "disk full (ENOSPC)"): [
        DISK + "03_disk_full", DISK + "03_a_start_that_finds_no_room",
        QUEUE + "a full disk: nothing is charged, calls are refused before they cost, and it passes"],
    (4, "fsync fails (EIO)"): [
        DISK + "04_a_sync_that_fails", DISK + "04_a_file_that_may_not_grow",
        QUEUE + "after a failed sync everything is refused until a restart, which recovers"],
    (5, "concurrent spend of the last credit"): [
        CREDITS + "test_200_parallel_calls_on_a_balance_of_50",
        CALLS + "200 parallel calls on a balance of 50: exactly 50 succeed"],
    (6, "double settle / double release"): [
        CALLS + "a reservation is held, settled for less, or released, once", MODEL],
    (7, "reserve orphaned by crash"): [
        ACCOUNT + "crash_test.cpp::kill -9 at any moment loses no answered debit and charges nothing "
        "that was not begun", DISK + "02_power_loss"],
    (8, "upstream fails after reserve"): [CHARGES + "08_upstream_fails_after_the_reservation"],
    (9, "client disconnects mid-request"): [
        CHARGES + "09_a_client_that_leaves", LIFETIME + "test_a_client_that_goes_away_ends_its_call"],
    (10, "idempotent retry after lost response"): [CHARGES + "10_a_retry_after_a_lost_response"],
    (11, "same key, other body"): [CREDITS + "test_an_idempotent_call_is_charged_once", MODEL],
    (12, "same key in parallel"): [
        CHARGES + "12_one_key_in_parallel",
        CALLS + "64 parallel calls with one idempotency key make one movement"],
    (13, "ledger invariants"): [
        MODEL, MODEL + ": many seeds",
        LEDGER + "verify_test.cpp::rows of the ledger can be neither changed nor removed while its "
        "triggers stand"],
    (14, "clock jump back/forward"): [
        CHARGES + "14_a_clock_that_is_set",
        CALLS + "answers are kept by the time that the book is open: no clock that is set drops one",
        LEDGER + "months_test.cpp::a clock that jumps makes no second grant and takes none away",
        ACCOUNT + "rules/rate_limit_test.cpp::a clock that goes back or a rule that changes locks "
        "nobody out for long"],
    (15, "slowloris headers"): [
        CROWDS + "15_slowloris", LIFETIME + "test_a_head_that_trickles_does_not_live_longer"],
    (16, "slow body / slow reader"): [
        CROWDS + "16_slow_readers", LIFETIME + "test_slow_heads_slow_bodies_and_idlers_are_ended",
        "server/crowded_listener_test.cpp::answers that nobody reads are bounded for a key, and others "
        "are not touched"],
    (17, "oversized header, target, count, body"): [
        FRAMING + "test_refused_with_one_answer_and_a_close",
        READER + "long heads are told apart by what is too long"],
    (18, "request smuggling CL/TE"): [
        FRAMING + "test_refused_with_one_answer_and_a_close",
        CROWDS + "18_smuggling_through_nginx"],
    (19, "chunked abuse (ext, overflow, no CRLF)"): [
        FRAMING + "test_one_byte_chunks_up_to_the_limit", READER + "malformed chunks are refused",
        READER + "one-byte chunks pass, endless framing does not"],
    (20, "pipelining"): [
        FRAMING + "test_a_hundred_pipelined_requests_are_answered_in_order",
        "server/connection_test.cpp::pipelined calls run one after another and are answered in order"],
    (21, "connection flood / fd exhaustion"): [
        LIFETIME + "test_running_out_of_descriptors_is_survived",
        LIFETIME + "test_thousands_of_connections_starve_nobody"],
    (22, "overload 2x capacity"): [
        CROWDS + "22_more_than_can_be_served",
        LIFETIME + "test_where_all_connections_work_only_the_health_is_answered",
        HERE + "test_crowds.py::test_what_pages_have_taken_of_memory_is_given_back"],
    (23, "JSON bombs: depth, big numbers, dup keys, invalid UTF-8"): [
        "server/test_routes.py::test_odd_json_is_a_bad_request",
        "base/json_test.cpp::JSON texts that are refused",
        "base/json_test.cpp::Depth has a limit, and beyond it costs nothing"],
    (24, "mass assignment / unknown fields"): [CHARGES + "24_members_that_are_nobodys_to_set"],
    (25, "BOLA: other account's object"): [
        CHARGES + "25_what_is_anothers_is_not_there",
        "server/test_dashboard.py::test_another_accounts_key_is_not_there"],
    (26, "function-level: admin routes with user key"): [
        "server/test_matrix.py::test_every_route_has_its_row", "server/test_matrix.py::test_visits",
        "server/test_operators.py::test_only_operators_operate"],
    (27, "key guessing, timing"): [
        CALLS + "a bad checksum costs no look-up",
        ACCOUNT + "keys/key_test.cpp::digests are compared as a whole, wherever they differ"],
    (28, "key leaked in logs, errors, DB, core"): [
        CROWDS + "28_a_key_is_written_nowhere",
        LIFETIME + "test_files_are_for_their_owner_alone"],
    (29, "revoked key"): [
        ACCOUNT + "administration_test.cpp::no key authenticates once its revocation has returned, "
        "under load",
        "e2e/test_account.py::test_a_key_revoked_by_command_is_refused_by_the_running_server_at_once"],
    (30, "SSRF spellings, metadata, mapped, NAT64"): [
        STACK + "no spelling of a private address is connected to",
        HTTP + "address_guard_test.cpp::special addresses are denied on every port"],
    (31, "redirect to private / scheme change"): [
        STACK + "redirects are judged hop by hop",
        HTTP + "redirects_test.cpp::only http and https are followed"],
    (32, "DNS rebinding"): [
        UPSTREAMS + "32_a_name_that_changes_its_address",
        *(HERE + f"test_rebinding.py::test_{what}" for what in (
            "what_a_rendered_page_fetches", "pictures_of_an_answer", "captions_that_lie_elsewhere",
            "the_operators_webhook"))],
    (33, "decompression bomb"): [
        UPSTREAMS + "33_a_decompression_bomb", HOSTS + "bombs and floods stop at their limits",
        HOSTS + "who packs nothing into much is not read to the deadline"],
    (34, "endless / slow / header-flood upstream"): [
        UPSTREAMS + "34_answers_without_an_end", UPSTREAMS + "34_frames_without_an_end",
        HOSTS + "slow, silent, broken and absent hosts",
        HTTP + "tls_records_test.cpp::who says much under TLS and answers nothing is not listened to",
        HTTP + "tls_records_test.cpp::a handshake of many records is not read to its end, one of "
        "several is"],
    (35, "hostile upstream data (unsafe consumption)"): [
        "sources/conformance/hostile_test.cpp::conformance: members of other types and huge values "
        "leave items sound",
        "sources/conformance/hostile_test.cpp::conformance: an answer that is cut is an error or still "
        "sound",
        "sources/conformance/hostile_test.cpp::conformance: what reading an answer takes is counted, "
        "and can be ended"],
    (36, "HTML bombs (depth, attributes, tables)"): [
        "html/parse_test.cpp::hostile inputs are cut and take work that is linear in them",
        "markdown/work_test.cpp::a page that is made to cost more than its size is read or refused "
        "within its bound",
        "extract/extract_test.cpp::extract: to find nothing many times is work, too"],
    (37, "regex DoS"): [
        "structure/test_structure.py::test_forbidden_things_are_absent",
        HTTP + "robots_test.cpp::hostile files are given up after so many steps, and allow nothing",
        HTTP + "robots_layer_test.cpp::who asks for another site does not wait until a costly address "
        "is judged"],
    (38, "TLS/upstream certificate failure"): [
        UPSTREAMS + "38_certificates_that_nobody_vouches_for",
        HTTP + "websocket_stream_test.cpp::TLS is checked: a certificate that nobody vouches for, or "
        "of another name, is refused"],
    (39, "upstream down"): [
        UPSTREAMS + "39_a_host_that_is_down",
        HTTP + "politeness_test.cpp::the breaker opens, answers fast, probes alone and closes"],
    (40, "upstream slow (gray failure)"): [
        UPSTREAMS + "40_a_slow_host_holds_up_no_other",
        HTTP + "admission_test.cpp::one account cannot have all connections, and the engine may",
        HTTP + "politeness_test.cpp::a deadline that leaves a host no time is not held against it",
        HTTP + "politeness_test.cpp::where there are several accounts, one's queries suspend no source "
        "for another",
        "engine/runtime/suspensions_test.cpp::what comes of accounts' queries is their own, however "
        "many have seen the like",
        "engine/checkup/source_probes_test.cpp::two accounts whose queries fail stop a source for nobody "
        "else",
        HERE + "test_upstreams.py::test_a_query_that_a_source_limits_keeps_nobody_else_from_it",
        HTTP + "politeness_test.cpp::who has used up his retries has not used those of others",
        HTTP + "admission_test.cpp::waiting for a connection of one's own is held against no source"],
    (41, "thundering herd on a cold key"): [UPSTREAMS + "41_a_thundering_herd"],
    (42, "cache poisoning / key confusion"): [
        "catalog/arguments_test.cpp::the identity of a query holds what decides, sorted, defaults "
        "included",
        HTTP + "cache_test.cpp::nothing personal is kept",
        STACK + "a caller does not share what the configuration's request is waiting for",
        HTTP + "single_flight_test.cpp::an account that has used up its share does not lose what "
        "others wait for",
        HTTP + "robots_layer_test.cpp::what an account was refused for its own sake is not held "
        "against others"],
    (43, "rate limit exact under concurrency"): [
        CALLS + "the rate limit is exact under concurrency, and test keys have a bucket of their own",
        CREDITS + "test_the_rate_limit_is_told_truthfully"],
    (44, "Redis or PostgreSQL down (scale-out)"): [
        "e2e/test_redis.py::test_row_44_redis_is_killed_and_stands_still_under_load",
        "e2e/test_redis.py::test_a_source_gets_its_days_requests_from_all_servers_together",
        "e2e/test_redis.py::test_row_44_without_redis_answers_are_fetched",
        ACCOUNT + "keys/shared_rates_test.cpp::without Redis each server gives its part, and it counts "
        "when Redis is back",
        "e2e/test_postgres.py::test_a_database_that_is_away",
        "e2e/test_postgres.py::test_a_database_that_crashes_under_two_servers",
        "e2e/test_postgres.py::test_what_a_crash_takes_was_not_acknowledged",
        "e2e/test_cluster_faults.py::test_the_database_is_restarted",
        "e2e/test_cluster_faults.py::test_redis_is_restarted_and_forgets",
        "e2e/test_cluster_faults.py::test_a_standby_takes_over",
        "e2e/test_replica.py::test_a_replica_that_is_away_fails_no_report"],
    (45, "two nodes, one account"): [
        ACCOUNT + "peers_test.cpp::callers of two servers spend a balance once, to the last credit",
        ACCOUNT + "peers_test.cpp::what a server leased goes back when it ends or counts as gone",
        "e2e/test_postgres.py::test_several_servers_spend_a_balance_once",
        "e2e/test_postgres.py::test_a_server_that_stands_still_writes_no_more",
        ACCOUNT + "store/postgres/postgres_store_test.cpp::a commit that was in when its server was "
        "counted as gone is told as done",
        "e2e/test_cluster_faults.py::test_a_server_is_killed",
        "e2e/test_cluster_faults.py::test_a_server_stands_still_for_longer_than_it_may",
        "e2e/test_cluster_faults.py::test_clocks_differ_by_a_minute",
        "e2e/test_cluster_faults.py::test_a_month_ends_sooner_for_one_server"],
    (46, "SIGTERM drain"): [
        LIFETIME + "test_no_request_is_lost_while_draining",
        LIFETIME + "test_sigterm_finishes_what_runs"],
    (47, "second process on same DB"): [
        LIFETIME + "test_a_second_server_on_the_same_data_does_not_start"],
    (48, "crash loop on poison input"): [
        DISK + "48_poison_at_the_start",
        HTTP + "quota_counter_test.cpp::a file that is damaged is begun anew, line by line"],
    (49, "upgrade/migration, downgrade"): [
        ACCOUNT + "store/sqlite/schema_test.cpp::migrations run forward from any version, and only "
        "once",
        ACCOUNT + "store/sqlite/golden_test.cpp::a book of every schema that there ever was opens, "
        "verifies and goes on",
        ACCOUNT + "store/sqlite/golden_test.cpp::the program of every schema refuses the books of "
        "later ones and leaves them alone",
        ACCOUNT + "store/sqlite/schema_test.cpp::a newer schema and another program's file are "
        "refused"],
    (50, "backup and restore"): [
        HERE + "test_backup.py::test_row_50_backups_under_load_and_kills",
        ACCOUNT + "book_test.cpp::backups under load are prefixes of the book, and commits do not "
        "wait for them"],
    (51, "memory/thread/UB bugs"): [HERE + "test_rows.py::test_row_51_sanitizers_and_seeds"],
    (52, "allocation failure / Nth error"): [
        "capi/faults_test.cpp::calls in process",
        QUEUE + "a fault at any step of a settlement charges nothing and passes",
        "engine/curl_faults_test.cpp::each call of curl fails that a call takes, and none of them is "
        "charged",
        "engine/sqlite_faults_test.cpp::each call of SQLite fails that a call takes, and none of them "
        "is charged",
        ACCOUNT + "store/sqlite/sqlite_faults_test.cpp::each call of SQLite fails that a charge takes: "
        "it is made whole or not at all"],
    (53, "log or metrics injection"): [
        CROWDS + "53_lines_that_a_caller_would_write",
        "server/log_test.cpp::a line is one JSON object"],
}

CANNOT_BE_TESTED = {}

MCP, WORK = "server/mcp/", "markdown/work_test.cpp::"
CROWD, LISTENER = "server/crowd_test.cpp::", "server/crowded_listener_test.cpp::"
GATE, ANSWERS = "engine/runtime/gate_test.cpp::", ACCOUNT + "answer_box_test.cpp::"
PRIVATE, SPIN = "engine/private_targets_test.cpp::private targets: ", "browser/pool_test.cpp::"
OVER_MCP, MAIL = "mcp/test_http.py::", "mail/mail_test.cpp::"

# By number and the beginning of what was found.
ATTACKS = {
    (1, "`:lang()` costs nodes x depth x tests"): [
        WORK + "languages of a deep page are looked up once an element, not once a level",
        WORK + "selectors that take too much work are refused by the name of their parameter",
        WORK + "a page that nobody waits for is not read to its end",
        LIFETIME + "test_the_drain_has_a_deadline"],
    (2, "slow readers: a 30 MB answer"): [
        "engine/gather/budget_test.cpp::a document that is larger than an answer comes in parts, "
        "with nothing lost",
        CROWD + "the slowest reader of a key goes when its answers wait beyond its bound",
        CROWD + "beyond the bound of all it is a reader of whoever has the most who goes",
        LISTENER + "answers that nobody reads are bounded for a key, and others are not touched",
        "server/streaming_test.cpp::what waits behind a piece counts as unread, too",
        LIFETIME + "test_a_reader_that_trickles_does_not_live_longer",
        ANSWERS + "an answer that is too large is only known to be charged, and fetched again slowly"],
    (3, "the README's own `allow_private"): [
        PRIVATE + "a configured server is asked, and a scrape of it is refused",
        PRIVATE + "scrape.allow_private opens what it lists to callers, and no more",
        PRIVATE + "a redirect of a configured server leads to no other one",
        PRIVATE + "a host in a handle is the caller's, unless it is configured",
        "e2e/test_render.py::test_a_request_that_is_redirected_to_a_private_address_is_refused"],
    (4, "one lane of 32 for all scrapes"): [
        HTTP + "politeness_test.cpp::what a caller's addresses do is held against nobody else",
        HTTP + "admission_test.cpp::one account cannot have all connections, and the engine may",
        HTTP + "admission_test.cpp::who kept connections busy for long comes after who did not",
        GATE + "an account has so many calls at once, and another has its own"],
    (5, "cancelled calls are still converted"): [
        WORK + "a page that nobody waits for is not read to its end",
        LIFETIME + "test_a_client_that_goes_away_ends_its_call",
        GATE + "processor time is a share that can be saved up for a minute, and owed",
        GATE + "bytes are held until their answer is read, and one answer always passes",
        "base/fair_queue_test.cpp::who cost more than was thought comes later",
        "pdf/layer_test.cpp::a document that nobody wants any more is not read to its end",
        "pdf/layer_test.cpp::an account whose documents are never read to an end does not keep "
        "another's waiting"],
    (6, "4,096 connections from one address"): [
        CROWD + "from however many networks, who shows a key stays and who waits without one goes",
        CROWD + "an account has half of the places, from however many networks, and others come in",
        CROWD + "where all work, one more may ask for the health alone, and a host not for all of it",
        CROWD + "unfinished requests have a bound for a host and in all",
        LISTENER + "a crowd from one address makes room for itself, and one with a key stays",
        LISTENER + "a wrong key is refused before its body comes",
        LIFETIME + "test_thousands_of_connections_starve_nobody"],
    (7, "MCP sessions filled for everybody"): [
        MCP + "http_sessions_test.cpp::the keys of an account share its sessions, and its oldest idle "
        "one makes room",
        MCP + "http_sessions_test.cpp::sessions in use do not keep a newcomer out of what they have "
        "beyond their share",
        OVER_MCP + "test_an_account_has_a_bounded_number_of_sessions_whatever_keys_it_has",
        OVER_MCP + "test_what_is_kept_open_ends_with_its_key"],
    (8, "MCP memory: 63 KB of `capabilities`"): [
        MCP + "http_sinks_test.cpp::of what a client says of itself only flags are kept",
        MCP + "event_log_test.cpp::an answer that is too large to be kept leaves an error in its place",
        MCP + "event_log_test.cpp::bytes are bounded for a session, for an account and for all, each "
        "leaving room"],
    (9, "`/mcp` has no rate but for tool calls"): [
        MCP + "message_rate_test.cpp::a batch takes a token for each message, and none if it does not "
        "pass",
        MCP + "http_sinks_test.cpp::all answers of a batch arrive, and those that nobody has read yet "
        "are not made",
        MCP + "http_sinks_test.cpp::lists are the same text for everybody",
        OVER_MCP + "test_a_free_account_may_start_clients_and_flood_nobody",
        OVER_MCP + "test_all_answers_of_a_batch_arrive"],
    (10, "a reader of the log that stands still"): [
        "server/log_test.cpp::who logs never waits for a reader; what is dropped is counted and said",
        LIFETIME + "test_a_log_that_nobody_reads_stops_nothing"],
    (11, "browsers starved for nothing"): [
        SPIN + "an account whose pages spin in every browser does not keep another's from one",
        SPIN + "a script that never ends costs its page and its browser, and no other; who had it is told",
        "base/place_queue_test.cpp::seconds of places are what is shared, not pieces of work",
        "base/place_queue_test.cpp::who fills the queue gives the room of what came last to others",
        GATE + "browser time is a share of its own, for calls that have pages rendered alone",
        "e2e/test_render.py::test_pages_that_spin_are_paid_in_browser_seconds"],
    (12, "a hostile robots.txt"): [
        HTTP + "robots_test.cpp::hostile files are given up after so many steps, and allow nothing",
        HTTP + "robots_layer_test.cpp::who asks for another site does not wait until a large "
        "robots.txt is read",
        HTTP + "robots_layer_test.cpp::who asks for another site does not wait until a costly address "
        "is judged"],
    (13, "the whole answer is stored per idempotency key"): [
        ANSWERS + "an answer of megabytes is kept small, and nobody reads it in the file",
        ANSWERS + "kept answers have a bound for each account and for all, and the oldest go",
        ANSWERS + "the file shrinks when answers go"],
    (14, "`java&#9;script:` becomes a link"): [
        "markdown/writing/address_test.cpp::what is no link to the web, a mailbox or a telephone is "
        "only text",
        "markdown/writing/address_test.cpp::pictures and players are on the web",
        "markdown/writing/address_test.cpp::no other way to write a link lets a scheme in"],
    (15, "sign up with somebody's address"): [
        "server/test_dashboard.py::test_who_signs_up_by_anothers_address_chooses_no_password",
        ACCOUNT + "users/users_test.cpp::an account comes to be when its address is proven, with a "
        "session"],
    (16, "one refused recipient holds all mail"): [
        MAIL + "who is refused for now waits alone: all others get their mail, and then it is tried",
        MAIL + "nobody fills the queue for all, and what is lost is said"],
    (17, "`X-Forwarded-For` as `1.2.3.4:5678`"): [
        "server/callers_test.cpp::whom the proxies name is the caller",
        "server/callers_test.cpp::what a stranger writes names nobody"],
    (18, "`account/keys/create` ignores Idempotency-Key"): [
        "engine/pipeline_test.cpp::an account call and an empty success are answered once for an "
        "idempotency key"],
    (19, "the dashboard's markdown is quadratic"): [
        "../server/dashboard/tests/markdown.test.ts::a document twice as long is twice the work"],
    (20, "6,500 unknown parameters"): [
        "catalog/validate_test.cpp::beyond what is listed, a wrong parameter is counted and nothing is "
        "made of it"],
    (21, "a rendered page's prefetch and EventSource"): [
        "browser/page_test.cpp::what a page asks for ahead of its reader or without end is not fetched"],
}
