"""A receiver of hnotif's webhooks that checks signatures (https://www.standardwebhooks.com). It needs Python 3 only.

SIGNING_SECRET=whsec_... PORT=8080 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SIGNING_SECRET", "")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
if not SECRET.startswith("whsec_") or len(KEY) < 24:
    sys.exit("SIGNING_SECRET must be the signing_secret of the sink, as whsec_...")

LARGEST_BODY = 8 * 1024 * 1024
# The largest difference of the clocks, in seconds. An older message may be a recorded one.
TOLERANCE = 300


def is_genuine(headers, body):
    """Whether the body was signed with the key a short time ago. The body must be the received bytes."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # While the secret is changed there are several signatures.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


# The last ids. A message can come twice, with the same id.
seen = OrderedDict()
lock = threading.Lock()


def is_new(message_id):
    with lock:
        if message_id in seen:
            return False
        seen[message_id] = True
        if len(seen) > 10_000:
            seen.popitem(last=False)
        return True


class Receiver(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        if is_new(self.headers["webhook-id"]):
            context = json.loads(body)["context"]
            plan = context["plan"]
            print(f"{context['event']} {plan['namespace']}/{plan['name']}", flush=True)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"listening on port {server.server_port}", flush=True)
server.serve_forever()
