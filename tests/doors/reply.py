"""What a door answered, in the form in which doors are compared."""

import dataclasses
import json
import re


@dataclasses.dataclass(frozen=True)
class Reply:
    code: str  # "ok" or the error's
    body: dict  # the envelope, or the problem document
    data: bytes = b""  # as the door gave it

    @classmethod
    def of(cls, body, data=None):
        """Of the bytes of an envelope or a problem document."""
        told = json.loads(body)
        if "data" not in told:
            return cls(told["code"], told)
        return cls("ok", told, data_of(bytes(body)) if data is None else bytes(data))

    def settled(self, differs):
        """Without what differs between two runs of one door: ids of requests, cursors (they carry the
        time), and the members that the call's row names."""
        envelope = json.loads(json.dumps(self.body))
        envelope.pop("request_id", None)
        envelope.pop("data", None)
        for name in differs:
            envelope.pop(name, None)
        if "meta" in envelope:
            del envelope["meta"]["request_id"]
        if envelope.get("page"):
            envelope["page"]["next_cursor"] = envelope["page"]["next_cursor"] is not None
        return self.code, envelope, masked(self.data, differs)


def data_of(body):
    """The bytes of `data` in an envelope."""
    prefix = b'{"data":'
    assert body.startswith(prefix), body[:80]
    rest = body[len(prefix):]
    for after in (b',"page":', b',"meta":'):
        at = rest.rfind(after)
        if at >= 0:
            return rest[:at]
    raise AssertionError(body[:80])


def masked(data, differs):
    """A string or null as the value of these members, whatever it is, becomes `*`."""
    for name in differs:
        data = re.sub(rb'"%s":("[^"]*"|null)' % name.encode(), b'"%s":*' % name.encode(), data)
    return data
