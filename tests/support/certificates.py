"""An authority of the test's own and certificates that it signs, made by the program openssl."""

import pathlib
import ssl
import subprocess

from support.reach import need_tool

KINDS = {"ec": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["-newkey", "rsa:2048"]}


class Pair:
    """A certificate and its key, as files."""

    def __init__(self, certificate, key):
        self.certificate, self.key = certificate, key

    @property
    def options(self):
        """What has the server use it."""
        return ["--set", f"server.tls.certificate={self.certificate}",
                "--set", f"server.tls.key={self.key}"]


class Authority:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.made = 0
        self.pair = self._request("authority", ["-days", "300", "-subj", "/CN=test authority", "-addext",
                                                "keyUsage=critical,keyCertSign,cRLSign"])
        self.file = str(self.pair.certificate)

    def _request(self, name, options, kind="ec"):
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        subprocess.run(
            [need_tool("openssl"), "req", "-x509", "-noenc", *KINDS[kind], "-keyout", str(key), "-out",
             str(certificate), *options], check=True, capture_output=True)
        key.chmod(0o600)
        return Pair(certificate, key)

    def issue(self, days=90, kind="ec"):
        """A certificate for loopback."""
        self.made += 1
        return self._request(
            f"server{self.made}",
            ["-CA", str(self.pair.certificate), "-CAkey", str(self.pair.key), "-days", str(days),
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth",
             "-addext", "keyUsage=critical,digitalSignature"],
            kind)

    def trust(self):
        """How a client checks it."""
        return ssl.create_default_context(cafile=self.file)
