// By what a client's address is counted: IPv4 whole, IPv6 by its /64, because one line of one customer has at least that many addresses.

const V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** What is no address counts as one client. */
const NO_ADDRESS = 'unknown'

/**
 * The name under which this address is counted: `203.0.113.7`, `2001:db8:0:1/64`. An IPv4 address that is written as IPv6
 * (`::ffff:203.0.113.7`, as a socket that listens on both has it) counts as IPv4; a zone (`%eth0`) does not count.
 */
export function networkOf(address: string | undefined): string {
  const [text = ''] = (address ?? '').toLowerCase().split('%')
  if (V4.test(text)) return text
  const groups = groupsOf(text)
  if (groups === null) return NO_ADDRESS
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}/64`
}

/** The eight numbers of an IPv6 address; null when it is none. */
function groupsOf(text: string): number[] | null {
  const halves = text.split('::')
  if (!text.includes(':') || halves.length > 2) return null
  const [head = [], tail = []] = halves.map(numbersOf)
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

function numbersOf(half: string): number[] | null {
  if (half === '') return []
  const numbers: number[] = []
  for (const part of half.split(':')) {
    if (V4.test(part)) {
      const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
      numbers.push(a * 256 + b, c * 256 + d)
    } else if (/^[0-9a-f]{1,4}$/.test(part)) numbers.push(Number.parseInt(part, 16))
    else return null
  }
  return numbers
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 255]
}
