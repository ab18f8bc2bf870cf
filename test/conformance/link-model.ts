// The link as a model small enough to try every order of events: the relays of one database, a box, its cloned card, two orders, and a number of faults.
//
// A step is what one program does in one transaction or with one message; docs/wire-protocol.md has the rules that it follows. A message
// that was corrupted is one that was lost, because its digest does not fit; without digests (a negative control) it is another message.
// What a model cannot show is that the programs do what it says: for that there are the drills.

import { at, copyOf, type State, words } from './link-model-state.ts'

/** What the protocol does; each `false` is a negative control. */
export const RULES = {
  /** What the relay sends carries a digest, and what a box sends. */
  digestsDown: true,
  digestsUp: true,
  /** A claim is on disk before the first byte, and one that is found at start is marked. */
  intent: true,
  /** Only the newest disk of a box prints unmarked what was open when it started. */
  proof: true,
  /** The counter counts claims, not starts. */
  countsClaims: true,
  /** Its hello says the binding: the relay sees that it is another disk. */
  saysBinding: true,
  /** What the relay calls open is printed marked all the same. */
  openStaysMarked: true,
  /** Numbers behind another disk's `last` are sent again marked. */
  marksRewound: true,
  /** Of two boxes the one that was first has the place. */
  knowsMachines: true,
  /** While its second hello is out, a box takes nothing on its first connection. */
  holdsWhileMoving: true,
  /** A hello holds the gateway's row from reading to writing: the relay that had the box gives no number out in between. */
  holdsRow: true,
}
export type Rules = typeof RULES

export interface Step {
  name: string
  to: State
}

/** What may happen next without a fault, in an order in which doing always the first one comes to an end. */
export function steps(state: State, rules: Rules): Step[] {
  const all: Step[] = []
  const can = (name: string, change: (next: State) => void): void => {
    const to = copyOf(state)
    change(to)
    all.push({ name, to })
  }
  if (state.down.length > 0 && !isHeld(state, rules))
    can(`deliver down ${words(state.down[0])}`, (next) => deliverDown(next))
  if (state.up.length > 0) can(`deliver up ${words(state.up[0])}`, (next) => deliverUp(next))
  for (const [b, box] of state.boxes.entries()) {
    if (!box.up) {
      can(`box ${b} starts`, (next) => start(next, b, rules))
      continue
    }
    const isIn = state.relay.session === b
    const isRead = state.relay.resuming?.box === b
    const mayGoIn = box.second !== null || (!isIn && mayEnter(state, b, rules))
    if (mayGoIn && !rules.holdsRow && !isRead) can(`the row of box ${b} is read`, (next) => readRow(next, b))
    if (box.second !== null && (rules.holdsRow || isRead))
      can(`box ${b} is welcomed on its second connection`, (next) => welcomeSecond(next, b, rules))
    if (isIn && box.second === null && state.moves > 0)
      can(`box ${b} says hello on a second connection`, (next) => openSecond(next, b))
    if (!isIn && box.second === null && mayGoIn && (rules.holdsRow || isRead))
      can(`box ${b} connects`, (next) => connect(next, b, rules))
    if (box.waits && isIn) can(`box ${b} hears what is settled`, (next) => hearWord(next, b, rules))
    if (box.waits) can(`box ${b} waits no longer`, (next) => waitNoLonger(next, b))
    const claimed = box.disk.jobs.findIndex((job) => job.state === 's')
    const queued = box.disk.jobs.findIndex((job) => job.state === 'q')
    if (claimed >= 0 && box.onPaper)
      can(`box ${b} notes that ${claimed} is printed`, (next) => settle(next, b, claimed))
    if (claimed >= 0 && !box.onPaper) can(`box ${b} prints ${claimed}`, (next) => print(next, b, claimed))
    if (claimed < 0 && queued >= 0 && !box.waits)
      can(`box ${b} claims ${queued}`, (next) => claim(next, b, queued, rules))
    const report = box.disk.reports.findIndex((waits, job) => waits && !isUnderWay(state, job))
    if (isIn && report >= 0)
      can(`box ${b} reports ${report}`, (next) => {
        next.up.push({ t: 'result', job: report, failed: at(box.disk.jobs, report).state === 'f' })
      })
  }
  const next = nextToSend(state)
  if (next !== null) can(`relay sends ${next}`, (to) => send(to, next))
  const { hasOldOwner, lastSeq, used, jobs } = state.relay
  // It loses its claims to the row's epoch once another hello is written.
  if (hasOldOwner && lastSeq === used && used < jobs.length)
    can(`the relay that had the box claims ${used}`, ({ relay }) => {
      Object.assign(relay, { used: used + 1, lastSeq: used + 1 })
    })
  return all
}

/** What must never be; null: all is well. */
export function violation({ paper, relay, isFair }: State): string | null {
  if (isFair && relay.jobs.some(({ marked }) => marked)) return 'an order is marked though nothing went wrong'
  for (const [job, { plain, marked, wrong }] of paper.entries()) {
    const { state, events } = at(relay.jobs, job)
    if (plain > 1) return `order ${job} is on paper twice without a mark`
    if (wrong > 0) return `order ${job} is on paper with a wrong text`
    if (state === 'failed') return `order ${job} ended as failed though nothing is wrong with it`
    if (events > 1) return `order ${job} was told twice to be printed`
    if (state === 'printed' && plain + marked === 0) return `order ${job} was told to be printed and is not on paper`
  }
  return null
}

/** Once the faults have ended: null when every order is on paper and told once to be printed, and the box has its place. */
export function unfinished({ paper, relay }: State): string | null {
  if (relay.lastSeq < relay.used) return 'the stream is stuck: its next number is in use'
  if (relay.session !== 0) return 'the card has the place of the box that it is a copy of'
  const job = relay.jobs.findIndex(({ state, events }) => state !== 'printed' || events !== 1)
  if (job >= 0) return `order ${job} was never told to be printed`
  const lost = paper.findIndex(({ plain, marked }) => plain + marked === 0)
  return lost >= 0 ? `order ${lost} is lost` : null
}

function deliverDown(next: State): void {
  const message = next.down.shift()
  const box = next.boxes[next.relay.session]
  if (!message || !box) return
  const { disk } = box
  if (message.t === 'rack') {
    disk.reports[message.job] = false
    return
  }
  if (message.job !== disk.last) {
    if (message.job < disk.last) next.up.push({ t: 'ack', last: disk.last })
    return
  }
  disk.last++
  const known = at(disk.jobs, message.job)
  if (message.t === 'job' && known.state === '-') {
    const isUnreadable = message.wrong === 'invalid'
    disk.jobs[message.job] = {
      state: isUnreadable ? 'f' : 'q',
      marked: message.marked,
      wrong: message.wrong === 'valid',
    }
    disk.reports[message.job] = isUnreadable
  }
  next.up.push({ t: 'ack', last: disk.last })
}

function deliverUp({ up, down, relay }: State): void {
  const message = up.shift()
  if (message?.t === 'ack') {
    if (message.last <= relay.lastSeq) accept(relay, message.last)
    return
  }
  if (!message) return
  const job = at(relay.jobs, message.job)
  if (job.state === 'open' || job.state === 'accepted') {
    job.state = message.failed ? 'failed' : 'printed'
    if (!message.failed) job.events++
  }
  down.push({ t: 'rack', job: message.job })
}

function accept(relay: State['relay'], last: number): void {
  relay.acked = Math.max(relay.acked, last)
  for (const job of relay.jobs.slice(0, relay.acked)) if (job.state === 'open') job.state = 'accepted'
}

function isUnderWay({ down, up }: State, job: number): boolean {
  return up.some((m) => m.t === 'result' && m.job === job) || down.some((m) => m.t === 'rack' && m.job === job)
}

/** The next number that is neither acknowledged nor under way. */
function nextToSend({ relay, down, up }: State): number | null {
  if (relay.session < 0 || down.some((m) => m.t !== 'rack') || up.some((m) => m.t === 'ack')) return null
  // Two jobs of one number: the claim fails.
  if (relay.acked === relay.lastSeq && relay.acked < relay.used) return null
  return relay.acked < relay.jobs.length ? relay.acked : null
}

function send({ relay, down }: State, seq: number): void {
  relay.lastSeq = Math.max(relay.lastSeq, seq + 1)
  relay.used = Math.max(relay.used, relay.lastSeq)
  const { state, marked } = at(relay.jobs, seq)
  const isFinal = state === 'printed' || state === 'failed'
  down.push({ t: isFinal ? 'skip' : 'job', job: seq, marked })
}

/** The connection that has the session ends. The box knows it at once, its relay perhaps later. */
export function disconnect(next: State): void {
  if (next.relay.session >= 0) next.relay.hasOldOwner = true
  next.relay.session = -1
  next.down = []
  next.up = []
}

/** Jobs wait at a box that has said on another connection how far it is. Acknowledgements of results do not. */
function isHeld({ boxes, relay, down }: State, { holdsWhileMoving }: Rules): boolean {
  return holdsWhileMoving && boxes[relay.session]?.second != null && down[0]?.t !== 'rack'
}

/** The relay asked it to. */
function openSecond(next: State, b: number): void {
  next.moves--
  const box = at(next.boxes, b)
  box.second = box.disk.last
}

/** The other relay, or the same, takes the hello: it goes on from what that said. Then the box leaves its first connection. */
function welcomeSecond(next: State, b: number, rules: Rules): void {
  const { second, disk } = at(next.boxes, b)
  enter(next, b, rules, second ?? disk.last)
}

function mayEnter({ relay }: State, b: number, { knowsMachines }: Rules): boolean {
  return relay.session < 0 || (knowsMachines && b === 0)
}

function connect(next: State, b: number, rules: Rules): void {
  enter(next, b, rules, at(next.boxes, b).disk.last)
}

/** The hello's unit, of which the reading may be a step of its own. */
function readRow({ relay }: State, b: number): void {
  relay.resuming = { box: b, lastSeq: relay.lastSeq }
}

/** @param last as the hello says it */
function enter(next: State, b: number, { marksRewound, saysBinding }: Rules, last: number): void {
  disconnect(next)
  const { relay } = next
  relay.lastSeq = relay.resuming?.lastSeq ?? relay.lastSeq
  Object.assign(relay, { resuming: null, hasOldOwner: false })
  const box = at(next.boxes, b)
  const { disk } = box
  box.second = null
  disk.epoch++
  if (box.bootEpoch === 0) box.bootEpoch = disk.epoch
  const isAnother = !box.isKnown && (box.bootEpoch <= relay.epoch || (saysBinding && disk.binding !== relay.binding))
  if (last < relay.acked || isAnother)
    for (const job of relay.jobs.slice(last, relay.lastSeq)) {
      if (job.state !== 'open' && job.state !== 'accepted') continue
      job.state = 'open'
      job.marked ||= marksRewound
    }
  relay.acked = last
  relay.lastSeq = Math.max(relay.lastSeq, last)
  relay.used = Math.max(relay.used, last)
  accept(relay, last)
  Object.assign(relay, { session: b, binding: disk.binding, epoch: disk.epoch })
  for (const other of next.boxes) other.isKnown = other === box
}

function hearWord({ relay, boxes }: State, b: number, { openStaysMarked }: Rules): void {
  const box = at(boxes, b)
  box.waits = false
  box.disk.jobs.forEach((job, j) => {
    if (job.state !== 'q' || !job.marked) return
    const { state } = at(relay.jobs, j)
    if (state === 'printed' || state === 'failed') job.state = 'w'
    else if (!openStaysMarked) job.marked = false
  })
}

function waitNoLonger({ boxes }: State, b: number): void {
  at(boxes, b).waits = false
}

function claim({ boxes }: State, b: number, j: number, { countsClaims }: Rules): void {
  const { disk, counter } = at(boxes, b)
  at(disk.jobs, j).state = 's'
  if (!countsClaims) return
  disk.claims++
  if (counter) counter.claims = disk.claims
}

function print({ boxes, paper }: State, b: number, j: number): void {
  const box = at(boxes, b)
  box.onPaper = true
  const { marked, wrong } = at(box.disk.jobs, j)
  const copies = at(paper, j)
  if (wrong) copies.wrong = 1
  // More says nothing more.
  if (marked) copies.marked = 1
  else copies.plain = Math.min(2, copies.plain + 1)
}

function settle({ boxes }: State, b: number, j: number): void {
  const box = at(boxes, b)
  box.onPaper = false
  at(box.disk.jobs, j).state = 'p'
  box.disk.reports[j] = true
}

export function stop(next: State, b: number): void {
  const ended = { up: false, waits: false, onPaper: false, isKnown: false, bootEpoch: 0, second: null }
  Object.assign(at(next.boxes, b), ended)
  if (next.relay.resuming?.box === b) next.relay.resuming = null
  if (next.relay.session === b) disconnect(next)
}

function start(next: State, b: number, rules: Rules): void {
  bind(next, b, rules, true)
  at(next.boxes, b).up = true
}

/** What a box does with its disk at start. @param isThrough false: it dies between the database's transaction and the counter outside it */
export function bind(next: State, b: number, rules: Rules, isThrough: boolean): void {
  const box = at(next.boxes, b)
  const { disk, counter } = box
  for (const job of disk.jobs)
    if (job.state === 's') {
      job.state = 'q'
      job.marked ||= rules.intent
    }
  const isNewest = counter !== null && disk.binding === counter.binding && disk.claims >= counter.claims
  const isProven = disk.machine === b && isNewest
  if (!isProven && rules.proof) {
    const open = disk.jobs.filter((job) => job.state === 'q')
    for (const job of open) job.marked = true
    next.bindings++
    disk.binding = next.bindings
    box.waits = isThrough && open.length > 0
  }
  disk.machine = b
  if (!rules.countsClaims) disk.claims++
  if (isThrough) box.counter = { binding: disk.binding, claims: disk.claims, synced: disk.claims }
}
