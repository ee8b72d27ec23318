"""PostgreSQL's own client library, as far as the replay of a recording asks for it: several sessions of one thread, each
with at most one request that nobody waits for."""

import ctypes
import select

BAD, SINGLE_STATE = 1, 67  # CONNECTION_BAD; PG_DIAG_SQLSTATE, 'C'
WHOLE_NUMBERS, TRUTHS = (20, 21, 23), (16,)

pq = ctypes.CDLL("libpq.so.5")
for name, given in {"PQconnectdb": ctypes.c_void_p, "PQgetResult": ctypes.c_void_p, "PQerrorMessage": ctypes.c_char_p,
                    "PQresultErrorField": ctypes.c_char_p, "PQgetvalue": ctypes.c_void_p, "PQftype": ctypes.c_uint}.items():
    getattr(pq, name).restype = given


class Result:
    def __init__(self, handle):
        handle = ctypes.c_void_p(handle)
        self.state = (pq.PQresultErrorField(handle, SINGLE_STATE) or b"").decode()
        self.rows = [[self._value(handle, row, column) for column in range(pq.PQnfields(handle))]
                     for row in range(pq.PQntuples(handle))]
        pq.PQclear(handle)

    @staticmethod
    def _value(handle, row, column):
        """A number, bytes, or None."""
        if pq.PQgetisnull(handle, row, column):
            return None
        value = ctypes.string_at(pq.PQgetvalue(handle, row, column), pq.PQgetlength(handle, row, column))
        kind = pq.PQftype(handle, column)
        if pq.PQfformat(handle, column) == 0:
            return int(value) if kind in WHOLE_NUMBERS else value
        if kind in WHOLE_NUMBERS:
            return int.from_bytes(value, "big", signed=True)
        return value[0] if kind in TRUTHS else value


class Session:
    def __init__(self, url):
        self.handle = ctypes.c_void_p(pq.PQconnectdb(url.encode()))
        if pq.PQstatus(self.handle) == BAD:
            raise ConnectionError(pq.PQerrorMessage(self.handle).decode())
        self.pid = pq.PQbackendPID(self.handle)

    def send(self, text):
        assert pq.PQsendQuery(self.handle, text.encode()) == 1, pq.PQerrorMessage(self.handle)

    def send_with(self, text, values):
        """Each value is None, or bytes and whether they are no text."""
        count = len(values)
        bytes_of = (ctypes.c_char_p * count)(*[None if one is None else one[0] for one in values])
        sizes = (ctypes.c_int * count)(*[0 if one is None else len(one[0]) for one in values])
        forms = (ctypes.c_int * count)(*[0 if one is None else int(one[1]) for one in values])
        assert pq.PQsendQueryParams(self.handle, text.encode(), count, None, bytes_of, sizes, forms, 1) == 1, \
            pq.PQerrorMessage(self.handle)

    def is_answered(self, wait_s):
        while True:
            if pq.PQconsumeInput(self.handle) == 0 or pq.PQisBusy(self.handle) == 0:
                return True
            if not select.select([pq.PQsocket(self.handle)], [], [], wait_s)[0]:
                return False

    def results(self):
        """All of them; waits."""
        told = []
        assert self.is_answered(60), "nobody answers"
        while (one := pq.PQgetResult(self.handle)) is not None:
            told.append(Result(one))
        return told

    def ask(self, text):
        self.send(text)
        return self.results()

    def notices(self):
        class Notice(ctypes.Structure):
            _fields_ = [("name", ctypes.c_char_p), ("pid", ctypes.c_int), ("extra", ctypes.c_char_p)]
        pq.PQnotifies.restype = ctypes.POINTER(Notice)
        pq.PQconsumeInput(self.handle)
        told = []
        while one := pq.PQnotifies(self.handle):
            told.append(one.contents.extra.decode())
            pq.PQfreemem(one)
        return told

    def close(self):
        pq.PQfinish(self.handle)
