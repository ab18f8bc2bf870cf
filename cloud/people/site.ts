// The dashboard's address, as links in mail and passkeys need it.
import { isLoopbackHost } from '#shared/wire/guarded-url.ts'

/** Where the dashboard of a relay is that was started without settings. */
export const USUAL_SITE = 'http://localhost:8080'

export interface Site {
  /** `https://relay.example`, without a slash at the end. */
  origin: string
  /** The name that passkeys are bound to; null: browsers refuse them at this address. */
  passkeyName: string | null
}

/**
 * @param publicUrl of the relay, as clients see it. One of this machine is named `localhost`: browsers refuse passkeys at numbers, and at
 * http of every other name
 */
export function siteOf(publicUrl: string): Site {
  const url = new URL(publicUrl)
  if (isLoopbackHost(url.hostname)) url.hostname = 'localhost'
  const takesPasskeys = url.hostname === 'localhost' || (url.protocol === 'https:' && isName(url.hostname))
  return { origin: url.origin, passkeyName: takesPasskeys ? url.hostname : null }
}

function isName(host: string): boolean {
  return !host.startsWith('[') && !/^\d{1,3}(\.\d{1,3}){3}$/.test(host)
}
