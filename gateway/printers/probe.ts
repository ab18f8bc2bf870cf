// Queries before the first ticket on a connection: does the printer answer, can it print, and (once) which queries it supports.
import type { Clock } from '#shared/clock.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { ASB_ON, INITIALISE, MODEL_QUERY, PAPER_QUERY, processIdQuery } from './escpos-commands.ts'
import type { EscposConnection } from './escpos-dialogue.ts'
import type { Heard } from './printer-language.ts'
import type { Reply } from './status-parser.ts'

/** All answers to the queries are a dozen; a device that sends endlessly is not listened to for longer. */
const MOST_REPLIES = 256

/** How often a printer that sends unrequested bytes may answer without them. */
const MOST_TIMES_DOUBTED = 3
/** More bare bytes than the answers to GS r and a false ASB could make: it sends by itself, so the probe need not wait for its silence. */
const MOST_BARE = 7

/** Several answers of a slow printer take several times as long as one. */
export const SLOWEST = 6

/** It must answer each of several in a row, as after a ticket. Not four: the bytes of a false ASB look like four answers. */
const PAPER_QUESTIONS = 3
const PAPER_ROW = Buffer.concat(Array<Uint8Array>(PAPER_QUESTIONS).fill(PAPER_QUERY))

export interface ProbeOptions {
  /** Its recorded answers, which decide the query. */
  capability: PrinterCapability | null
  /** Queries of DLE EOT: [1] is enough for most; printers that never prove a ticket get all four. */
  ns: readonly number[]
  timeoutMs: number
  repeats: number
  signal: AbortSignal
}

/**
 * Requests the real-time status; its round trip also drains whatever the printer sent unrequested.
 * When it is offline, requests the causes. The result is in `connection.condition`.
 */
export async function probe(connection: EscposConnection, options: ProbeOptions): Promise<Heard> {
  const { capability, ns, timeoutMs, repeats, signal } = options
  const knowsOnlyInOrder = capability !== null && !capability.dleEot
  const straysBefore = connection.dialogue.strays
  for (let i = 0; i <= repeats; i++) {
    const answered = knowsOnlyInOrder ? askInOrder(connection, capability) : askRealTime(connection, ns)
    if (await connection.untilQuiet(answered, { quietMs: timeoutMs, limitMs: SLOWEST * timeoutMs, signal })) {
      const isSure = capability !== null || (await isNoGreeting(connection, timeoutMs, signal))
      if (!isSure) return endOf(connection, signal) ?? 'silent'
      if (connection.condition?.blocked && ns.length < 4) await askCauses(connection, timeoutMs, signal)
      if (!(await isRubbish(connection, straysBefore, { timeoutMs, signal }))) return 'answered'
      connection.dialogue.disbelieveStatus()
      return endOf(connection, signal) ?? 'silent'
    }
    const end = endOf(connection, signal)
    if (end !== null) return end
  }
  return 'silent'
}

function endOf(connection: EscposConnection, signal: AbortSignal): 'ended' | 'aborted' | null {
  if (connection.end !== null) return 'ended'
  return signal.aborted ? 'aborted' : null
}

/**
 * Some printers greet each client, and letters of a greeting look like an answer: a printer that never answers would count as stopped
 * forever, or as one that once answered. A greeting comes once, so a second query decides.
 */
async function isNoGreeting(connection: EscposConnection, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  if (await askCauses(connection, timeoutMs, signal)) return true
  connection.dialogue.forgetPoll()
  connection.condition = null
  return false
}

/**
 * It reports that it cannot print, among bytes that no printer sends: letters of some other server look like that too. A greeting comes once, so
 * the query is repeated until it is answered without them.
 */
async function isRubbish(
  connection: EscposConnection,
  straysBefore: number,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<boolean> {
  const { dialogue } = connection
  let strays = straysBefore
  for (let asked = 0; dialogue.strays !== strays && connection.condition?.blocked; asked++) {
    if (asked >= MOST_TIMES_DOUBTED) return true
    strays = dialogue.strays
    if (!(await askCauses(connection, timeoutMs, signal))) return dialogue.strays !== strays
  }
  return false
}

function askRealTime(connection: EscposConnection, ns: readonly number[]): () => boolean {
  connection.dialogue.poll(ns)
  return () => connection.dialogue.pollAnswered
}

function askCauses(connection: EscposConnection, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  connection.dialogue.askStatus()
  return connection.untilQuiet(() => connection.dialogue.pollAnswered, {
    quietMs: timeoutMs,
    limitMs: SLOWEST * timeoutMs,
    signal,
  })
}

function askInOrder(connection: EscposConnection, capability: PrinterCapability): () => boolean {
  if (capability.gsI) {
    const answered = connection.dialogue.expectModel()
    connection.write(MODEL_QUERY)
    return answered
  }
  if (capability.gsR) {
    const answered = connection.dialogue.expectPaper()
    connection.write(PAPER_QUERY)
    return answered
  }
  const id = 'ping'
  const answered = connection.dialogue.expectProcessId(id)
  connection.write(processIdQuery(id))
  return answered
}

export interface TrialOptions {
  /** Whether DLE EOT was answered on this connection. */
  dleEot: boolean
  /** A fresh id for GS ( H. */
  processId: string
  windowMs: number
  clock: Clock
  signal: AbortSignal
}

/**
 * Sends every in-order query once and records which are answered. A printer without support prints nothing: there is no line feed, and the
 * closing ESC @ clears its line buffer. Null if the printer answered nothing at all.
 */
export async function tryEveryQuestion(
  connection: EscposConnection,
  options: TrialOptions,
): Promise<PrinterCapability | null> {
  const { dleEot, processId, windowMs, clock, signal } = options
  const heard: Reply[] = []
  const stop = connection.dialogue.replies.subscribe((reply) => {
    if (heard.length < MOST_REPLIES) heard.push(reply)
  })
  connection.dialogue.expectModel()
  for (let asked = 0; asked < PAPER_QUESTIONS; asked++) connection.dialogue.expectPaper()
  connection.dialogue.learnt = true
  connection.write(Buffer.concat([INITIALISE, ASB_ON, processIdQuery(processId), MODEL_QUERY, PAPER_ROW, INITIALISE]))
  const listensUntilMs = clock.monotonicMs() + windowMs
  const isOver = (): boolean => {
    const evidence = weigh(heard, processId)
    return isComplete(evidence) || (evidence.bares > MOST_BARE && clock.monotonicMs() >= listensUntilMs)
  }
  await connection.untilQuiet(isOver, { quietMs: windowMs, limitMs: SLOWEST * windowMs, signal })
  stop()
  const { trusted: _, bares: __, gsI, ...inOrder } = weigh(heard, processId)
  // A slow printer answers the probe's query only now; among letters of a greeting it proves nothing.
  const isGreeting = heard.some(({ kind }) => kind === 'noise')
  const seen = {
    ...inOrder,
    gsI: gsI && !connection.dialogue.answersUnasked,
    gsR: inOrder.gsR && !connection.dialogue.talksUnasked,
    dleEot: dleEot || (!isGreeting && heard.some(({ kind }) => kind === 'real-time')),
  }
  // ASB is off again after the closing ESC @; its report may be outdated by the time of the ticket.
  const answered = seen.dleEot || seen.asb || seen.gsParenH || seen.gsI || seen.gsR
  return answered ? { ...seen, learntAtMs: clock.now() } : null
}

interface Evidence {
  asb: boolean
  gsParenH: boolean
  gsI: boolean
  gsR: boolean
  /** The GS r bytes came after an unmistakable answer, so there is no need to wait for more bytes. */
  trusted: boolean
  bares: number
}

/**
 * A bare byte proves little: four zero bytes of a false ASB look like four answers to GS r. They count only when they are as many
 * as were requested, nothing unrequested came with them, and none is before the answers to the earlier queries.
 */
function weigh(heard: readonly Reply[], processId: string): Evidence {
  const bareAt = heard.findIndex((reply) => reply.kind === 'bare')
  const bares = heard.filter((reply) => reply.kind === 'bare').length
  const noise = heard.some((reply) => reply.kind === 'noise')
  const isStrange = heard.some((reply) => reply.kind === 'noise' && reply.isStrange)
  const asb = heard.some((reply) => reply.kind === 'asb')
  const lastBlockAt = heard.findLastIndex((reply) => reply.kind === 'block')
  const inOrder = bareAt > lastBlockAt
  return {
    asb: asb && !noise,
    gsParenH: heard.some((r) => r.kind === 'block' && r.head === 0x37 && r.text === `"${processId}`),
    gsI: heard.some((r) => r.kind === 'block' && r.head === 0x5f),
    gsR: bares === PAPER_QUESTIONS && !isStrange && inOrder,
    bares,
    trusted: asb || lastBlockAt >= 0,
  }
}

/**
 * GS r 1 is the last query: its trusted answers end the wait. If they are all that could prove a ticket, the whole time is used: one that
 * sends a bare byte now and then must not pass by luck.
 */
function isComplete({ gsR, trusted, gsI, gsParenH }: Evidence): boolean {
  return gsR && trusted && (gsI || gsParenH)
}
