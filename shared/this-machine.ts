// Whether a connection comes from this machine itself, where a proxy may speak for many.

/** Not all of 127.0.0.0/8: a program that takes another address of it wants to be told apart. */
const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** @param address as Node's `remoteAddress` */
export function isThisMachine(address: string | undefined): boolean {
  return OWN.has(address ?? '')
}
