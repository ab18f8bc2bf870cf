// What discovery finds and how answers of several methods about one device become one entry. Pure.

export type DiscoveryMethod = 'epson' | 'star' | 'mdns' | 'port-9100'

/** One method's answer about one address. */
export interface Sighting {
  method: DiscoveryMethod
  /** IPv4. */
  address: string
  port: number
  /** The hardware address that the device claims in its answer, lower case with colons: any device can claim any. Null: not in this method's answers. */
  claimedMac: string | null
  /** Model by the device's answer, cleaned for screens; null: not in this method's answers. */
  model: string | null
  /** Name that a person gave the device. */
  name: string | null
}

/** One device. */
export interface FoundPrinter {
  address: string
  port: number
  /** From the kernel's table; null until the search has ended, and where it has none. */
  mac: string | null
  claimedMac: string | null
  model: string | null
  name: string | null
  methods: readonly DiscoveryMethod[]
}

/** The entry of the sighting's address with what the sighting adds. What was known first stays: makers' own protocols answer before the scan. */
export function mergeSighting(known: FoundPrinter | undefined, sighting: Sighting): FoundPrinter {
  const { method, address, port, claimedMac, model, name } = sighting
  if (!known) return { address, port, mac: null, claimedMac, model, name, methods: [method] }
  return {
    ...known,
    claimedMac: known.claimedMac ?? claimedMac,
    model: known.model ?? model,
    name: known.name ?? name,
    methods: known.methods.includes(method) ? known.methods : [...known.methods, method],
  }
}

/** A device's text in a form for screens: one line of at most 64 characters; null when nothing is left. */
export function cleanText(text: string): string | null {
  const clean = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .trim()
    .slice(0, 64)
  return clean === '' ? null : clean
}

/** Six bytes as `64:eb:8c:01:02:03`; null for none, all zero or a group address: no device has these. */
export function macOf(bytes: Uint8Array): string | null {
  const [first = 1] = bytes
  if (bytes.length !== 6 || bytes.every((byte) => byte === 0) || (first & 1) === 1) return null
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}

/** Text up to its first NUL in a fixed field. */
export function fieldText(bytes: Uint8Array, from: number, length: number): string | null {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return cleanText(new TextDecoder('latin1').decode(end < 0 ? field : field.subarray(0, end)))
}
