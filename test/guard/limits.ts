// The limits of the speed guard. `npm run guard -- --reached` writes what this tree `reached`; the limit is 25 % above it.

/** The commit whose tree `--reference` measures beside this one: the newest that CI has seen within all of these limits. */
export const REFERENCE = '09a52eef'

export type FigureName =
  | 'gateway.quiet'
  | 'gateway.looking'
  | 'gateway.open'
  | 'gateway.open-looking'
  | 'relay.quiet'
  | 'relay.looking'
  | 'relay.open'
  | 'relay.open-looking'
  | 'first-byte'
  | 'link.seals'
  | 'drain.60'
  | 'drain.1000'
  | 'drain.wall'
  | 'drain.length'
  | 'heap.gateway'
  | 'heap.relay'
  | 'browser.update'

export interface Limit {
  /** In words, for the table. */
  what: string
  reached: number
  /** What we promise: the limit is never above it, however near `reached` comes to it. */
  promised?: number
  /** Why this is watched, and at this height. */
  reason: string
}

/** What a figure may be above what was reached: less is the noise of the machine, more would be noticed too late. */
const ROOM = 1.25

export const LIMITS: Readonly<Record<FigureName, Limit>> = {
  'gateway.quiet': {
    what: 'gateway, CPU an order / floor: no open orders, nobody looking',
    reached: 5.77,
    reason:
      'What an order costs a small box at the least: every other figure of the gateway stands on it. The goal is 1.5; the floor commits once, and neither waits for the printer nor reports.',
  },
  'gateway.looking': {
    what: 'gateway, CPU an order / floor: 4 displays and 2 pages looking',
    reached: 11.3,
    reason:
      'The same with all screens of a busy kitchen open: what goes to a screen must be made once, not once a screen.',
  },
  'gateway.open': {
    what: 'gateway, CPU an order / floor: 5,000 open orders',
    reached: 6.49,
    reason:
      'An order must not cost more because others wait: on b3e6ce6 the board read every waiting order at each change. 5.6 before a dead port was asked each 0.4 s, so that its tickets print at once when it is back.',
  },
  'gateway.open-looking': {
    what: 'gateway, CPU an order / floor: 5,000 open orders, 4 displays and 2 pages looking',
    reached: 11.3,
    reason:
      'Both at once: a full board is shown to everybody. 10.4 before cards said whose allergy it is, courses, type and table.',
  },
  'relay.quiet': {
    what: 'relay, CPU an order / floor: no open orders, nobody looking',
    reached: 4.55,
    reason: 'What one order costs the relay, from the request to the result of its ticket.',
  },
  'relay.looking': {
    what: 'relay, CPU an order / floor: 4 displays and 2 pages looking',
    reached: 4.34,
    reason: 'Screens stand at the box: the relay must not notice them.',
  },
  'relay.open': {
    what: 'relay, CPU an order / floor: 5,000 open orders',
    reached: 4.04,
    reason: 'An order must not cost more because others wait.',
  },
  'relay.open-looking': {
    what: 'relay, CPU an order / floor: 5,000 open orders, 4 displays and 2 pages looking',
    reached: 4.01,
    reason: 'Both at once: neither of them may come back through the other.',
  },
  'first-byte': {
    what: 'request -> first byte at the printer, 50 orders/s, p50 / floor',
    reached: 2.46,
    reason:
      'What the cook waits for. A wall clock: the floor beside it takes the machine out. The goal is 1.7; both wait for two disks.',
  },
  'link.seals': {
    what: 'both programs, CPU an order with the seals of its messages / without',
    reached: 1.01,
    promised: 1.05,
    reason:
      'Each message of the link carries a digest, so that a changed byte is never printed nor told. It may cost a twentieth of an order.',
  },
  'drain.60': {
    what: "gateway, CPU a ticket of a backlog of 60 / floor's order",
    reached: 3.5,
    reason: 'A printer that was without paper for some minutes. Runs on this tree reached 2.6 to 3.5, on f08875c 3.6.',
  },
  'drain.1000': {
    what: "gateway, CPU a ticket of a backlog of 1,000 / floor's order",
    reached: 2.97,
    reason:
      'An evening without the printer: on b3e6ce6 each ticket read all others that waited, and a thousand took a minute.',
  },
  'drain.wall': {
    what: "time a ticket of a backlog of 1,000 / floor's ticket and CPU of its order",
    reached: 2.4,
    reason: 'How long the kitchen waits until all paper is there.',
  },
  'drain.length': {
    what: 'time a ticket of a backlog of 1,000 / of 60',
    reached: 0.87,
    promised: 1.2,
    reason: 'A long backlog drains as fast as a short one.',
  },
  'heap.gateway': {
    what: 'gateway, heap after up to 10,000 orders / after 1,000',
    reached: 1.02,
    reason: 'A box runs for months: what an order leaves in memory adds up.',
  },
  'heap.relay': {
    what: 'relay, heap after up to 10,000 orders / after 1,000',
    reached: 1.02,
    reason: 'The same for the relay, which has many boxes.',
  },
  'browser.update': {
    what: 'kitchen page, CPU of an update of 60 tickets / reference script',
    reached: 0.732,
    reason: 'Old tablets hang in kitchens: six times slower than this, an update must stay below a tenth of a second.',
  },
}

export function limitOf({ reached, promised }: Pick<Limit, 'reached' | 'promised'>): number {
  return Math.min(ROOM * reached, promised ?? Number.POSITIVE_INFINITY)
}
