"""C: libfreshet.so by ctypes, which needs no headers: what it finds is the ABI itself."""

import ctypes
import json
import os
import pathlib

from through_http import serve
from prepared import SETTINGS
from reply import Reply

ABI = 1


def load():
    path = pathlib.Path(os.environ.get("FRESHET_BUILD", "")) / "capi/libfreshet.so"
    assert path.exists(), "libfreshet.so was not built"
    library = ctypes.CDLL(str(path))
    pointer, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
    for name, result, arguments in [
        ("freshet_open", pointer,
         [ctypes.c_uint32, text, size, pointer, pointer, ctypes.POINTER(pointer)]),
        ("freshet_connect", pointer,
         [ctypes.c_uint32, text, size, text, size, pointer, pointer, ctypes.POINTER(pointer)]),
        ("freshet_client_call", pointer, [pointer, text, size, text, size, text, size]),
        ("freshet_client_free", None, [ctypes.POINTER(pointer)]),
        ("freshet_error_name", text, [ctypes.c_int32]),
        ("freshet_result_error", ctypes.c_int32, [pointer]),
        ("freshet_result_body", pointer, [pointer, ctypes.POINTER(size)]),
        ("freshet_result_data", pointer, [pointer, ctypes.POINTER(size)]),
        ("freshet_result_free", None, [ctypes.POINTER(pointer)]),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def sized(text):
    encoded = text.encode()
    return encoded, len(encoded)


class C:
    def __init__(self, how, *texts):
        self.library = load()
        self.client = ctypes.c_void_p()
        sizes = [part for text in texts for part in sized(text)]
        no_log = (None, None)
        opened = getattr(self.library, how)(ABI, *sizes, *no_log, ctypes.byref(self.client))
        reply = self.taken(opened) if not self.client else None
        assert reply is None, reply
        self.library.freshet_result_free(ctypes.byref(ctypes.c_void_p(opened)))

    def bytes_of(self, getter, result):
        size = ctypes.c_size_t()
        return ctypes.string_at(getter(result, ctypes.byref(size)), size.value)

    def taken(self, result):
        handle = ctypes.c_void_p(result)
        reply = Reply.of(self.bytes_of(self.library.freshet_result_body, handle),
                         self.bytes_of(self.library.freshet_result_data, handle))
        number = self.library.freshet_result_error(handle)
        assert reply.code == (self.library.freshet_error_name(number).decode() if number else "ok")
        self.library.freshet_result_free(ctypes.byref(handle))
        assert not handle
        return reply

    def call(self, endpoint, text, key):
        options = json.dumps({"api_key": key})
        return self.taken(self.library.freshet_client_call(self.client, *sized(endpoint), *sized(text),
                                                           *sized(options)))

    def close(self):
        self.library.freshet_client_free(ctypes.byref(self.client))


class CInProcess(C):
    def __init__(self, prepared, name):
        settings = {**SETTINGS, "storage.data_dir": prepared.copy(name)}
        quoted = {key: value if value.replace(".", "", 1).isdigit() or value == "true" else f'"{value}"'
                  for key, value in ((key, str(value)) for key, value in settings.items())}
        super().__init__("freshet_open", "".join(f"{key} = {value}\n" for key, value in quoted.items()))


class CRemote(C):
    def __init__(self, prepared, name):
        self.server = serve(prepared, name)
        super().__init__("freshet_connect", self.server.url, "")

    def close(self):
        super().close()
        assert self.server.stop() == 0


DOORS = {"C in process": CInProcess, "C to a server": CRemote}
