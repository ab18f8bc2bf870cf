// Random names of this browser.

/** As hexadecimal digits. `crypto.randomUUID` does not exist on plain http. */
export function randomBytes(count: number): string {
  return [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
