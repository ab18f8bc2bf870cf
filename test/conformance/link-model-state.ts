// What the link's model knows at one moment: the relay, the boxes with their disks, what is under way, and what is on paper.

/** `-` never stored, `q` waits for its printer, `s` claimed (the intent is on disk), `p` printed, `w` withdrawn on the relay's word, `f` could not be read. */
type OnDisk = '-' | 'q' | 's' | 'p' | 'w' | 'f'

interface DiskJob {
  state: OnDisk
  marked: boolean
  /** Its text is not what was ordered. */
  wrong: boolean
}

export interface Disk {
  last: number
  jobs: DiskJob[]
  /** Results that the relay has not acknowledged. */
  reports: boolean[]
  claims: number
  /** To which box it is bound. */
  machine: number
  /** Another one after each start at which it was not proven to be the newest. */
  binding: number
  epoch: number
}

export interface Box {
  disk: Disk
  /** The counter outside the database, and what of it survives a power cut; null: there is none. */
  counter: { binding: number; claims: number; synced: number } | null
  up: boolean
  /** Waits for the relay's word on what was open when it started. */
  waits: boolean
  /** The claimed ticket is on paper; the disk does not know it yet. */
  onPaper: boolean
  /** The relay's last session was with this start of it. */
  isKnown: boolean
  bootEpoch: number
  /** It was asked to move, and its hello is on its second connection: how far its disk was then. Null: it has one connection. */
  second: number | null
}

export type Down =
  | { t: 'job' | 'skip'; job: number; marked: boolean; wrong?: 'valid' | 'invalid' }
  | { t: 'rack'; job: number }
export type Up = { t: 'ack'; last: number } | { t: 'result'; job: number; failed: boolean }

export interface State {
  relay: {
    jobs: { state: 'open' | 'accepted' | 'printed' | 'failed'; marked: boolean; events: number }[]
    /** What the gateway's row says, and the highest number that a job carries. They differ only where a rule is missing. */
    lastSeq: number
    used: number
    acked: number
    /** The relay that had the box has not heard that its connection has ended: it may still give numbers out. */
    hasOldOwner: boolean
    /** A hello that has read the row and not written it yet: only where these are two steps. */
    resuming: { box: number; lastSeq: number } | null
    /** The box that was welcomed last and is still connected; -1: none. */
    session: number
    /** `binding` of the last session's disk. */
    binding: number
    epoch: number
  }
  boxes: Box[]
  down: Down[]
  up: Up[]
  paper: { plain: number; marked: number; wrong: number }[]
  image: Disk | null
  /** Bindings that were made so far. */
  bindings: number
  faults: number
  /** How often a relay may still ask the box to move. */
  moves: number
  /** No fault has come yet. */
  isFair: boolean
}

export function firstState(orders: number, faults: number, moves = 0): State {
  const disk: Disk = {
    last: 0,
    jobs: range(orders).map(() => ({ state: '-', marked: false, wrong: false })),
    reports: range(orders).map(() => false),
    claims: 0,
    machine: 0,
    binding: 0,
    epoch: 0,
  }
  const box: Box = {
    disk,
    counter: { binding: 0, claims: 0, synced: 0 },
    up: true,
    waits: false,
    onPaper: false,
    isKnown: false,
    bootEpoch: 0,
    second: null,
  }
  return {
    relay: {
      jobs: range(orders).map(() => ({ state: 'open', marked: false, events: 0 })),
      lastSeq: 0,
      used: 0,
      acked: 0,
      hasOldOwner: false,
      resuming: null,
      session: -1,
      binding: 0,
      epoch: 0,
    },
    boxes: [box],
    down: [],
    up: [],
    paper: range(orders).map(() => ({ plain: 0, marked: 0, wrong: 0 })),
    image: null,
    bindings: 0,
    faults,
    moves,
    isFair: true,
  }
}

export function words(message: Down | Up | undefined): string {
  if (!message) return ''
  return message.t === 'ack' ? `ack ${message.last}` : `${message.t} ${message.job}`
}

/** Faster than structuredClone. */
export function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

export function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}
