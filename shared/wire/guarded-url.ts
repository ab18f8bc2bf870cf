// Where a password may go: to an address that speaks TLS, or to this very machine.

const PLAIN = /^(?:http|mqtt|ws):$/
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** True for https, mqtts and wss, and for http, mqtt and ws on loopback: nobody on the way can read along. */
export function isGuardedUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (!PLAIN.test(url.protocol) || isLoopbackHost(url.hostname))
}

/** @param hostname of a URL: IPv6 in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}
