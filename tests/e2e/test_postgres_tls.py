"""TLS to PostgreSQL, as the guide says it: who is not who the address names is not spoken to."""

import os
import shutil
import tempfile

import pytest
from support import postgres
from support.certificates import Authority
from support.reach import out_of_reach


@pytest.fixture
def secured(tmp_path):
    """A database that speaks TLS, and its authority."""
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    authority = Authority(tmp_path / "authority")
    pair = authority.issue()
    folder = tempfile.mkdtemp(prefix="freshet-tls-")
    files = [shutil.copy(one, folder) for one in (pair.certificate, pair.key)]
    if postgres.owner() is not None:
        for path in (folder, *files):
            os.chown(path, postgres.owner(), -1)
    one = postgres.Postgres([*postgres.QUICK, "ssl=on", f"ssl_cert_file={files[0]}", f"ssl_key_file={files[1]}"])
    one.authority = authority.file
    yield one
    one.close()
    shutil.rmtree(folder)


def test_all_of_a_servers_connections_are_checked_and_encrypted(serve, pages, secured, tmp_path):
    checked = f"storage.database={secured.url}?sslmode=verify-full&sslrootcert="
    server = serve(checked + secured.authority)
    database = f"--set={checked}{secured.authority}"
    server.run("accounts", "create", "a@example.org", database)
    key = server.run("keys", "create", "a@example.org", database)
    assert server.call("scrape/markdown", key, url=pages).status == 200
    assert server.call("account/usage", key).json["data"][0]["credits"] == 1
    ours = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name='freshet'"
    assert int(secured.sql(f"SELECT count(*) {ours}")) >= 4
    assert secured.sql(f"SELECT bool_and(ssl) {ours}") == "t"
    stranger = Authority(tmp_path / "stranger")
    with pytest.raises(RuntimeError, match="certificate verify failed"):
        serve(checked + stranger.file, data="other")
