// The problem with a server's certificate, in words for the technician: the clock, the name, the authority, or no TLS at all.

const CLOCK = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/
const OTHERS = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/

/**
 * Null when it is another fault.
 * @param code of the error, as Node and OpenSSL name it
 * @param whose the server, such as `relay.example:443`
 * @param privateAuthority what to do when a private authority is meant
 */
export function certificateWords(code: unknown, whose: string, privateAuthority: string): string | null {
  if (typeof code !== 'string') return null
  if (CLOCK.test(code))
    return `The certificate of ${whose} is out of date, or this box's clock is wrong (${code}). Look at the clock first.`
  if (code.includes('ALTNAME'))
    return `The certificate of ${whose} belongs to another name (${code}): the address is wrong, or somebody stands in between.`
  if (NO_TLS.test(code)) return `${whose} does not speak TLS as it should (${code}). Is the port right?`
  return OTHERS.test(code) ? `The certificate of ${whose} is not trusted (${code}). ${privateAuthority}` : null
}
