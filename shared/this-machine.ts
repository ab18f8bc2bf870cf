// Whether a connection comes from this machine itself, where a proxy may speak for many.

/** All of 127.0.0.0/8, also as IPv6 writes it, and ::1. @param address as Node's `remoteAddress` */
export function isThisMachine(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '')
}
