// The cookies of the box: a person's session, a kitchen screen's token, a browser's sign that somebody came in with it before. None can be read by scripts or sent along by another site.

export const SESSION_COOKIE = 'ticketrail_session'
export const DISPLAY_COOKIE = 'ticketrail_display'
/** Opens nothing: it only lets its owner try a password while others guess. */
export const DEVICE_COOKIE = 'ticketrail_device'
/** What a token of ours looks like: 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/** The token in a Cookie header; null when there is none, more than one, or something that is no token. */
export function tokenFrom(header: string | undefined, name: string): string | null {
  const values = (header ?? '').split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === name ? [value] : []
  })
  const [value = ''] = values
  return values.length === 1 && TOKEN.test(value) ? value : null
}

/** A Set-Cookie header. @param token empty: the cookie is taken back */
export function cookieWith(name: string, token: string, isSecure: boolean, maxAgeMs: number): string {
  const age = token === '' ? 0 : Math.floor(maxAgeMs / 1_000)
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}
