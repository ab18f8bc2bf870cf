// What DATABASE_URL may be, for the settings and for commands that are given such an address.

/** Without the value: it holds a password. */
const FORM =
  'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded (/ as %2F, @ as %40, ? as %3F, # as %23, % itself as %25)'
/** Those of the driver; with any other it would encrypt nothing or check less than was meant. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const SSL_WORDS = `must have the sslmode ${SSL_MODES.slice(0, -1).join(', ')} or ${SSL_MODES.at(-1)}`

/** For a zod schema: `refine(isDatabaseUrl, { error: databaseUrlWords })`. */
export const isDatabaseUrl = (text: string): boolean => databaseUrlFault(text) === null
export const databaseUrlWords = ({ input }: { input: unknown }): string => databaseUrlFault(String(input)) ?? FORM

/** What such an address must be that `text` is not, without a part of it; null: it is one. */
export function databaseUrlFault(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) return FORM
  const { username, password, hostname, pathname, hash, search, searchParams } = url
  if (![username, password, hostname, pathname].every(isDecodable)) return FORM
  // The text after an unescaped character of the password is parsed as the name or the options: it must not be reported as such.
  if (!/^\/[^/@:]+$/.test(pathname) || hash !== '' || search.includes('@')) return FORM
  const modes = searchParams.getAll('sslmode')
  return modes.every((mode) => SSL_MODES.includes(mode)) ? null : SSL_WORDS
}

/** The driver would read something else than was meant. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
