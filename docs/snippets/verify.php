<?php
// Verifies webhooks of Ticketrail in PHP 8 or later. Copy it into your receiver: it needs no package.

declare(strict_types=1);

const TICKETRAIL_TOLERANCE_SECONDS = 300;

/**
 * True when the body is ours and was sent within five minutes of now. Use this one if you can: a captured request cannot be sent to you
 * again later.
 *
 * @param string $rawBody file_get_contents('php://input'), before json_decode
 * @param array<string, string> $headers with lower-case names: array_change_key_case(getallheaders())
 * @param string $secret the whole secret, "whsec_" included
 */
function ticketrail_is_fresh(string $rawBody, array $headers, string $secret, ?int $nowSeconds = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(($nowSeconds ?? time()) - (int) $timestamp) > TICKETRAIL_TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    // Anybody can sign with a secret that was not set.
    if ($key === false || $key === '') {
        return false;
    }
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    // While the secret is being rotated there are two.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (str_starts_with($signature, 'v1,') && hash_equals($expected, substr($signature, 3))) {
            return true;
        }
    }
    return false;
}

/** True when the body is ours: the header X-Service-Signature. It says nothing about when it was sent. */
function ticketrail_is_authentic(string $rawBody, ?string $signature, string $secret): bool
{
    if ($secret === '' || $secret === 'whsec_') {
        return false;
    }
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), strtolower($signature ?? ''));
}
