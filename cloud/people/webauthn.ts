// The library that reads passkeys: it takes 68 MB of memory and half a second, so it is loaded when one is used.
let library: Promise<typeof import('@simplewebauthn/server')> | null = null

export function webauthn(): Promise<typeof import('@simplewebauthn/server')> {
  library ??= import('@simplewebauthn/server')
  return library
}
