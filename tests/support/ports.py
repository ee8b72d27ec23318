"""Ports of loopback for programs that cannot choose one themselves."""

import pathlib
import secrets
import socket

# Below those that the system gives out by itself, for outgoing connections too: one of these would be
# somebody else's before the program has it.
FIRST = 10000


def free_port():
    given_out = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = FIRST + secrets.randbelow(max(given_out - FIRST, 1000))
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
