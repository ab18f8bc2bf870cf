// Cookies of a page, such as a person's session. None can be read by scripts or sent along by another site.
import type { FastifyRequest } from 'fastify'

/** The form of our tokens: 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/

type Asking = Pick<FastifyRequest, 'headers' | 'protocol'>

export function isHttps({ protocol }: Pick<FastifyRequest, 'protocol'>): boolean {
  return protocol === 'https'
}

/** The token in the cookie of this name; null when there is none, more than one, or something that is no token. */
export function tokenFrom(request: Asking, name: string): string | null {
  const wanted = nameFor(request, name)
  const values = (request.headers.cookie ?? '').split(';').flatMap((part) => {
    const [key = '', value = ''] = part.trim().split('=', 2)
    return key === wanted ? [value] : []
  })
  const [value = ''] = values
  return values.length === 1 && TOKEN.test(value) ? value : null
}

/** As `tokenFrom`, in its stored form. */
export function storedTokenFrom(request: Asking, name: string): string | null {
  const token = tokenFrom(request, name)
  return token === null ? null : storedForm(request, token)
}

/** The form in which a token is stored: one that was issued over https is not accepted over http, even if somebody copies it there by hand. */
export function storedForm(request: Pick<Asking, 'protocol'>, token: string): string {
  return isHttps(request) ? `https ${token}` : token
}

/** A Set-Cookie header. @param token empty: the cookie is taken back */
export function cookieFor(
  request: Pick<Asking, 'protocol'>,
  { name, token, maxAgeMs }: { name: string; token: string; maxAgeMs: number },
): string {
  const age = token === '' ? 0 : Math.floor(maxAgeMs / 1_000)
  return `${nameFor(request, name)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${isHttps(request) ? '; Secure' : ''}`
}

/** Cookies ignore the port: over https it has a name that browsers accept and send over https only. */
function nameFor(request: Pick<Asking, 'protocol'>, name: string): string {
  return isHttps(request) ? `__Host-${name}` : name
}
