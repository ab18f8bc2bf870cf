// Package ticketrail verifies webhooks of Ticketrail. Copy it into your receiver: it needs the standard library only.
package ticketrail

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// IsFresh is true when the body is ours and was sent within five minutes of now. Use this one if you can: a captured request cannot be
// sent to you again later. rawBody holds the bytes as they came, before any JSON parser; secret is the whole secret, "whsec_" included.
func IsFresh(rawBody []byte, headers http.Header, secret string, now time.Time) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return false
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// Anybody can sign with a secret that was not set.
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	// While the secret is being rotated there are two.
	for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "v1,"))
		if strings.HasPrefix(one, "v1,") && err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

// IsAuthentic is true when the body is ours: the header X-Service-Signature. It says nothing about when it was sent.
func IsAuthentic(rawBody []byte, signature, secret string) bool {
	if secret == "" || secret == "whsec_" {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}
