"""Where spans end up: a receiver made of the protocol's own messages (PyPI `opentelemetry-proto`), and a
real collector in front of it, Rotel (PyPI `rotel`, whose wheel brings the program)."""

import base64
import gzip
import http.server
import json
import pathlib
import ssl
import subprocess
import threading

from support.ports import free_port
from support.reach import need_module, out_of_reach
from support.upstream import wait_for_port
from support.waiting import wait_until


def messages():
    need_module("opentelemetry.proto", "opentelemetry-proto is out of reach")
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
    return trace_service_pb2


def as_protobuf_has_it(value):
    """OTLP writes numbers of traces and spans in hexadecimal, where protobuf's JSON has base64."""
    if isinstance(value, list):
        return [as_protobuf_has_it(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64encode(bytes.fromhex(one)).decode()
        if name in ("traceId", "spanId", "parentSpanId") else as_protobuf_has_it(one)
        for name, one in value.items()
    }


def value_of(attribute):
    return getattr(attribute.value, attribute.value.WhichOneof("value"))


class Span:
    """One span with its resource, as plain values."""

    def __init__(self, resource, sent):
        self.resource = {one.key: value_of(one) for one in resource.attributes}
        self.service = self.resource["service.name"]
        self.trace, self.id, self.parent = sent.trace_id.hex(), sent.span_id.hex(), sent.parent_span_id.hex()
        self.name, self.kind, self.state = sent.name, sent.SpanKind.Name(sent.kind), sent.trace_state
        self.began, self.ended = sent.start_time_unix_nano, sent.end_time_unix_nano
        self.attributes = {one.key: value_of(one) for one in sent.attributes}
        self.failed = sent.status.code == sent.status.STATUS_CODE_ERROR
        self.flags = sent.flags


class SpanReceiver:
    """Takes OTLP over HTTP in both codings; keeps spans, bodies and heads. Answers `answers` first. With `pair`,
    a certificate and its key, by HTTPS."""

    def __init__(self, *answers, pair=None):
        self.proto = messages()
        self.spans, self.bodies, self.heads, self.wrong = [], [], [], []
        self.answers = list(answers)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, fields, text = 200, {}, b"{}"
                if receiver.answers:
                    status, fields, text = receiver.answers.pop(0)
                elif self.path != "/v1/traces":
                    status = 404
                else:
                    try:
                        receiver.take(self.headers, body)
                    except Exception as wrong:  # noqa: BLE001  the test is to see it, and the sender, too
                        receiver.wrong.append(wrong)
                        status = 400
                receiver.heads.append(dict(self.headers))
                self.send_response(status)
                for name, value in {"Content-Type": self.headers["Content-Type"], **fields}.items():
                    self.send_header(name, value)
                text = text if "json" in self.headers["Content-Type"] else b""
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if pair:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pair.certificate, pair.key)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"http{'s' if pair else ''}://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, headers, body):
        from google.protobuf import json_format
        if headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.bodies.append(body)
        if headers["Content-Type"] == "application/json":
            # Strictly: a name that the schema has not is an error.
            asked = json_format.ParseDict(as_protobuf_has_it(json.loads(body)),
                                          self.proto.ExportTraceServiceRequest())
        else:
            asked = self.proto.ExportTraceServiceRequest.FromString(body)
        self.spans += [Span(of.resource, span) for of in asked.resource_spans
                       for scope in of.scope_spans for span in scope.spans]

    def named(self, name, service="freshet"):
        return [one for one in self.spans if one.name == name and one.service == service]

    def wait_for(self, name, count=1, service="freshet"):
        wait_until(lambda: self.wrong or len(self.named(name, service)) >= count)
        assert self.wrong == []
        return self.named(name, service)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Collector:
    """Rotel, which hands on to `receiver` what it understands."""

    def __init__(self, receiver, folder):
        rotel = need_module("rotel", "rotel, a collector of OpenTelemetry, is out of reach")
        program = pathlib.Path(rotel.__file__).with_name("rotel-agent")
        if not program.exists():
            out_of_reach("this wheel of rotel brings no collector")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(pathlib.Path(folder) / "collector.log", "ab")
        self.process = subprocess.Popen(
            [program, "start", "--otlp-http-endpoint", f"127.0.0.1:{port}",
             "--otlp-grpc-endpoint", f"127.0.0.1:{free_port()}", "--exporter", "otlp",
             "--otlp-exporter-endpoint", receiver.url, "--otlp-exporter-protocol", "http",
             "--disable-batching"],
            stdout=self.log, stderr=self.log)
        wait_for_port(port, process=self.process)

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
