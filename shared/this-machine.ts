// Whether a connection is from this machine itself, where a proxy may relay many clients.

/** Not all of 127.0.0.0/8: a program that uses another address of it wants to be distinguished. */
const OWN = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** @param address as Node's `remoteAddress` */
export function isThisMachine(address: string | undefined): boolean {
  return OWN.has(address ?? '')
}
