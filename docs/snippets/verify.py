"""Verifies webhooks of Ticketrail in Python 3.8 or later. Copy it into your receiver: it needs the standard library only."""

import base64
import binascii
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 300


def is_fresh(raw_body, headers, secret, now_seconds=None):
    """True when the body is ours and was sent within five minutes of now.

    Use this one if you can: a captured request cannot be sent to you again later.
    raw_body: the bytes as they came, before any JSON parser.
    headers: a mapping with lower-case names.
    secret: the whole secret, "whsec_" included.
    """
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (event_id and timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    now_seconds = time.time() if now_seconds is None else now_seconds
    if abs(now_seconds - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    # Anybody can sign with a secret that was not set.
    if not key:
        return False
    content = event_id.encode() + b"." + timestamp.encode() + b"." + raw_body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
    # While the secret is being rotated there are two.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(one.startswith("v1,") and hmac.compare_digest(one[3:].encode(), expected) for one in signatures)


def is_authentic(raw_body, signature, secret):
    """True when the body is ours: the header X-Service-Signature. It says nothing about when it was sent."""
    if secret in ("", "whsec_"):
        return False
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).digest()
    try:
        return hmac.compare_digest(binascii.unhexlify(signature or ""), expected)
    except ValueError:
        return False
