// The contract between relay and gateway over MQTT: topics, envelopes, every message. The rules are in docs/wire-protocol.md.
import { z } from 'zod'
import { withinTime } from '#shared/clock.ts'
import { heldInstant } from '#shared/instant.ts'
import type { Seal } from '#shared/link-seal.ts'
import { kitchenOrder } from '#shared/order.ts'
import { printerReason, printerState, ticketEvidence } from '#shared/print-job.ts'
import { traceparentField } from '#shared/traceparent.ts'
import { configFields, configResultFields } from './gateway-config.ts'
import { gatewayRouting } from './gateway-routing.ts'
import { shownOn, standingFields } from './gateway-standing.ts'
import { handBackFields, recallFields } from './hand-back.ts'
import { printDoc, printTarget } from './print-doc.ts'

/** Highest and lowest protocol version that this build speaks. The major version is part of the topic. */
export const PROTOCOL = [1, 2] as const

export const LINK_LIMITS = {
  connectBytes: 4_096,
  jobBytes: 131_072,
  messageBytes: 16_384,
  /** Jobs and bytes that may be unacknowledged at one gateway. */
  windowJobs: 16,
  windowBytes: 262_144,
  /** Jobs in one `ask`. */
  askJobs: 200,
  ackTimeoutMs: 2_000,
  resultResendMs: 5_000,
  statusEveryMs: 30_000,
  /** A gateway that was silent for this long is offline. */
  presenceMs: 75_000,
  keepaliveSeconds: 20,
  /** No relay makes a gateway wait for longer with its next hello. */
  waitMostMs: 60_000,
  /** No relay gives a gateway longer to move. */
  moveMostMs: 60_000,
} as const

/** Greatest document of a job: the message around it has room beside it, for ids, numbers and times. */
export const MOST_DOCUMENT_BYTES = LINK_LIMITS.jobBytes - 512

/** No gateway has received so many jobs: numbers for all future jobs must remain, and from 2^53 on two would be the same. */
export const MOST_LAST_SEQ = 2 ** 52

/** Given to the gateway at pairing, never compiled in. */
export const linkTopics = z.object({ up: z.string(), down: z.string(), all: z.string() })
export type LinkTopics = z.infer<typeof linkTopics>

/** What pairing gives a gateway: who it is and where to connect. Stored 0600; `token` is the MQTT password. */
export const pairing = z.object({
  gatewayId: z.string().min(1),
  token: z.string().min(32),
  /** mqtt://, mqtts://, ws:// or wss:// */
  brokerUrl: z.string().regex(/^(mqtts?|wss?):\/\/.+/),
  topics: linkTopics,
  /** PEM of the certificate authority to trust instead of the system's, for mqtts and wss. */
  ca: z.string().optional(),
  merchantName: z.string().default(''),
  timeZone: z.string().default('UTC'),
  /** The next password, until the relay has seen it used: both are valid until then. */
  nextToken: z.string().min(32).optional(),
  /** Where it was claimed. */
  relayUrl: z.string().optional(),
})
export type Pairing = z.infer<typeof pairing>

/** Every message: version, type, id, sender's clock (epoch ms), epoch = the gateway's connection counter. */
const envelope = { v: z.literal(1), id: z.string().max(64), ts: heldInstant, e: z.number().int().min(0) }
/** Between two clocks, each of which may be wrong: whole milliseconds, either way. */
const clockOffset = z.number().transform((ms) => Math.sign(ms) * Math.round(withinTime(Math.abs(ms))))
const seq = z.number().int().min(0)
const waiting = z.number().int().min(0)
const stream = z.string().min(1).max(64)
const jobId = z.string().min(1).max(64)

/** In `hello.caps` and `welcome.caps` of a peer that seals every message (`shared/link-seal.ts`) and believes no other of one that does, too. */
export const CAP_DIGEST = 'digest'

/**
 * Whether an introduction (hello, welcome) is as its sender made it: one that seals says so in its capabilities, an older one does neither.
 * One changed bit breaks the digest or the seal, never both together with the capability.
 */
export function isIntroduction(seal: Seal, caps: readonly string[]): boolean {
  return seal !== 'corrupt' && (seal === 'sealed') === caps.includes(CAP_DIGEST)
}

// ---- gateway -> relay

export const hello = z.object({
  ...envelope,
  t: z.literal('hello'),
  proto: z.tuple([z.number().int(), z.number().int()]),
  /** Identity of the gateway's dedupe memory: random, made with its database. */
  stream,
  /** Last sequence number committed. */
  last: seq,
  bootId: z.string().max(64),
  /** Hash of the hardware and of the database's place. Older gateways do not send it. */
  machine: z.string().min(1).max(64).optional(),
  /** Made anew whenever the gateway cannot prove that its disk is the newest: another one than before is another disk. */
  disk: z.string().min(1).max(64).optional(),
  /** Epoch of the first connection of this boot. Not above another boot's epoch: both were up at the same time, on two disks. */
  bootEpoch: z.number().int().min(0).optional(),
  app: z.string().max(64),
  cfgVer: z.number().int(),
  caps: z.array(z.string().max(64)).max(64),
  /** Gateway's steady clock at sending, for the NTP formula: said back in `welcome`, no instant. */
  t0: z.number(),
  /** Reports that the relay has not acknowledged yet. */
  unreported: z.number().int().min(0),
})
export const ack = z.object({ ...envelope, t: z.literal('ack'), stream, last: seq })
export const nack = z.object({
  ...envelope,
  t: z.literal('nack'),
  stream,
  last: seq,
  /** `corrupt`: a message was changed in transit; sent only to a relay that seals. */
  reason: z.enum(['gap', 'corrupt', 'unsupported', 'invalid', 'full']),
  detail: z.string().max(500).optional(),
})
export const result = z.object({
  ...envelope,
  t: z.literal('result'),
  jobId,
  state: z.enum(['printed', 'failed', 'cancelled', 'expired', 'uncertain']),
  startedAt: heldInstant.nullable(),
  endedAt: heldInstant,
  reason: z.string().max(500).nullable(),
  tickets: z.array(ticketEvidence).max(64),
})
/** Limits of a status: relays reject one that exceeds them. */
export const STATUS_LIMITS = { printers: 64, stations: 64, reasons: 16, characters: 64 } as const
const shortText = z.string().max(STATUS_LIMITS.characters)
export const printerReport = z.object({
  printerId: shortText,
  name: shortText,
  stations: z.array(shortText).max(STATUS_LIMITS.stations),
  isDefault: z.boolean(),
  state: printerState,
  reasons: z.array(printerReason).max(STATUS_LIMITS.reasons),
  queued: z.number().int().min(0),
  /** Id of the printer that prints its tickets now in its place; absent: it has none, or the gateway is older. */
  standIn: z.string().max(64).optional().catch(undefined),
})
export type PrinterReport = z.infer<typeof printerReport>
export const status = z.object({
  ...envelope,
  t: z.literal('status'),
  printers: z.array(printerReport).max(STATUS_LIMITS.printers),
  queue: z.object({ queued: waiting, held: waiting, unreported: waiting }),
  cfgVer: z.number().int(),
  /** Relay time minus gateway wall clock, as known to the gateway; null before the first welcome. */
  clockOffsetMs: clockOffset.nullable(),
  rssBytes: z.number().int(),
  ...standingFields,
  routing: gatewayRouting.optional().catch(undefined),
})
export const cmdResult = z.object({
  ...envelope,
  t: z.literal('cmd.result'),
  cmd: z.literal('cancel'),
  jobId,
  /** `too_late`: at least one ticket was printed or may have been; the gateway prints a VOID slip there. */
  outcome: z.enum(['cancelled', 'too_late', 'unknown_job']),
})
/** What became of a `config`. */
export const configResult = z.object({ ...envelope, t: z.literal('config.result'), ...configResultFields })
/** In `welcome.caps` of a relay that knows the printer reason of this name; another one is told `not-responding`. */
export const CAP_ANOTHER_PRINTER = 'another-printer'
/** In `hello.caps` of a gateway that has kitchen displays, and in `welcome.caps` of a relay that listens to them. */
export const CAP_KITCHEN = 'kitchen'
/** `fired`: a course was fired in the kitchen; `course` is set only for this fact. */
const kitchenFact = z.object({
  orderId: z.string().min(1).max(64),
  fact: z.enum(['ready', 'completed', 'fired']),
  course: z.number().int().min(1).optional(),
})
/** What the kitchen has done with orders, oldest first; again until each is acknowledged by `kack`. */
export const kitchen = z.object({
  ...envelope,
  t: z.literal('kitchen'),
  facts: z
    .array(kitchenFact.extend({ atMs: heldInstant, shownOn: shownOn.optional().catch(undefined) }))
    .min(1)
    .max(64),
})
/**
 * Which of these jobs have ended? Asked about jobs that wait on a disk that may be an older image, only where the relay declares CAP_ASK.
 */
export const ask = z.object({
  ...envelope,
  t: z.literal('ask'),
  jobIds: z.array(jobId).min(1).max(LINK_LIMITS.askJobs),
})
export const handBack = z.object({ ...envelope, t: z.literal('hand-back'), ...handBackFields })
export const bye = z.object({ ...envelope, t: z.literal('bye') })
/**
 * `machine` and `bootId` as in `hello`: the broker reads them when the connection is opened, before it takes anybody's place. `beside`: a
 * second connection of the same boot (see `move`), which takes the first one's place only when it is welcomed. Older gateways say neither of
 * the last two, older brokers ignore them.
 */
export const will = z.object({
  ...envelope,
  t: z.literal('will'),
  machine: z.string().min(1).max(64).optional(),
  bootId: z.string().max(64).optional(),
  beside: z.literal(true).optional().catch(undefined),
})

export const upMessage = z.discriminatedUnion('t', [
  hello,
  ack,
  nack,
  result,
  status,
  cmdResult,
  configResult,
  kitchen,
  ask,
  handBack,
  bye,
  will,
])
export type UpMessage = z.infer<typeof upMessage>

// ---- relay -> gateway

export const welcome = z.object({
  ...envelope,
  t: z.literal('welcome'),
  session: z.string().max(64),
  t0: z.number(),
  t1: heldInstant,
  t2: heldInstant,
  cfgVer: z.number().int(),
  window: z.object({ jobs: z.number().int(), bytes: z.number().int() }),
  /** Acked sequence as known to the relay after this hello; differs from `last` only after a restore of the relay. */
  acked: seq,
  /** Capabilities of this relay beyond the first messages; older ones send none. */
  caps: z.array(z.string().max(64)).max(64).default([]),
})
/** In `hello.caps` of a gateway that delays its next hello as `wait` asks. Protocol 1.2. */
export const CAP_WAIT = 'wait'
/**
 * The relay has more hellos than it can answer in time, and forgets this one: hello again after so long, on the same connection. Only for
 * the connection of this epoch.
 */
export const wait = z.object({
  ...envelope,
  t: z.literal('wait'),
  forMs: z.number().transform((ms) => Math.round(Math.min(Math.max(ms, 0), LINK_LIMITS.waitMostMs))),
})
export const rehello = z.object({ ...envelope, t: z.literal('rehello'), withinMs: z.number().int().min(0) })
/**
 * In `hello.caps` of a gateway that reads the kitchen's details of an order: type, table, seats, courses, order note, allergens, verbs of
 * modifiers; it holds courses and takes `fire` jobs. In `welcome.caps` of a relay that takes the fact `fired`. Any other gateway gets their words within the fields that it knows, so that its paper says them too.
 */
export const CAP_ORDER_DETAILS = 'order-details'
/** In `hello.caps` of a gateway that prints more than orders: only such a one is sent the other kinds. */
export const CAP_PRINT_JOBS = 'print-jobs'
/** Whose order it is, sealed by the relay for itself: by it a relay that has forgotten the order believes a gateway that hands it back. */
const origin = z.string().max(2_000).optional()
/**
 * What a job carries. `order`: its kitchen tickets. `board`: an order for the displays alone, without paper; made only where a gateway of
 * the location says CAP_KITCHEN. `fire`: a course of an order that was held until now, only where the gateway says CAP_ORDER_DETAILS. `reprint`: the same tickets again under a REPRINT mark, on the target's printer if it
 * names one. `traceparent`: the trace of the order, where somebody follows it. `note` (kitchen), `receipt` and `label`: what a client laid out.
 */
export const jobDoc = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), order: kitchenOrder, origin, traceparent: traceparentField }),
  z.object({ kind: z.literal('board'), order: kitchenOrder, origin, traceparent: traceparentField }),
  /** `firedAtMs`: relay's clock. */
  z.object({
    kind: z.literal('fire'),
    order: kitchenOrder,
    course: z.number().int().min(1),
    firedAtMs: heldInstant,
    /** Of an order that is for the displays alone. */
    isWithoutPaper: z.literal(true).optional(),
    traceparent: traceparentField,
  }),
  /** `fired`: later courses that are not held any more, as known to the relay. */
  z.object({
    kind: z.literal('reprint'),
    order: kitchenOrder,
    target: printTarget,
    fired: z.array(z.number().int()).optional(),
    traceparent: traceparentField,
  }),
  z.object({ kind: z.literal('note'), print: printDoc }),
  z.object({ kind: z.literal('receipt'), print: printDoc }),
  z.object({ kind: z.literal('label'), print: printDoc }),
])
export type JobDoc = z.infer<typeof jobDoc>
export const job = z.object({
  ...envelope,
  t: z.literal('job'),
  jobId,
  stream,
  seq,
  /** Parsed with `jobDoc` only after the envelope, so that a bad document is refused and reported instead of stalling the stream. */
  doc: z.unknown(),
  /** Relay's clock, epoch ms. The gateway holds the tickets until then. */
  notBefore: heldInstant.nullable(),
  expiresAt: heldInstant.nullable(),
  possibleDuplicate: z.boolean(),
})
export type JobMessage = z.infer<typeof job>
/** The relay gave this sequence number to a job that it withdrew before it was accepted. */
export const skip = z.object({ ...envelope, t: z.literal('skip'), stream, seq })
/** `orderVoided`: the whole order is voided, not only this job; a reprint on paper then gets a VOID slip. Older relays do not send it. */
export const cancel = z.object({
  ...envelope,
  t: z.literal('cancel'),
  jobId,
  orderVoided: z.boolean().default(false),
  /** The reason in the client's words; printed on the VOID slip. */
  reason: z.string().max(500).optional(),
})
/** The relay has stored the result of this job. */
export const rack = z.object({ ...envelope, t: z.literal('rack'), jobIds: z.array(jobId).min(1).max(256) })

/** The relay has stored these facts, or will never take them. */
export const kack = z.object({ ...envelope, t: z.literal('kack'), facts: z.array(kitchenFact).min(1).max(256) })

/** In `hello.caps` of a gateway that opens a second connection on request. Protocol 1.2. */
export const CAP_MOVE = 'move'
/**
 * The relay is about to stop, and closes this connection after so long: open a second one at the same address, which leads to another
 * relay, say hello there with the next epoch, and close this one when that was welcomed.
 */
export const move = z.object({
  ...envelope,
  t: z.literal('move'),
  withinMs: z.number().transform((ms) => Math.round(Math.min(Math.max(ms, 0), LINK_LIMITS.moveMostMs))),
})

/** In `welcome.caps` of a relay that answers `ask`. */
export const CAP_ASK = 'ask'
/** `on-paper`: it was printed, or may have been. `ended`: it will not print. `unknown`: no job of this gateway's location. */
const toldJob = z.object({ jobId, state: z.enum(['on-paper', 'ended', 'open', 'unknown']) })
export type ToldJob = z.infer<typeof toldJob>
/** The answer to `ask`. */
export const told = z.object({ ...envelope, t: z.literal('told'), jobs: z.array(toldJob).max(LINK_LIMITS.askJobs) })

/** Only to a gateway that declares CAP_HAND_BACK. */
export const recall = z.object({ ...envelope, t: z.literal('recall'), ...recallFields })

/** In `hello.caps` of a gateway that takes a configuration from the cloud. */
export const CAP_CONFIG = 'config'
export const config = z.object({ ...envelope, t: z.literal('config'), ...configFields })
/** In `hello.caps` of a gateway that can change its password. */
export const CAP_CREDENTIALS = 'cred'
/** The gateway's next password. The present one stays valid until this one was used once. */
export const cred = z.object({ ...envelope, t: z.literal('cred'), next: z.string().min(32).max(128) })

export const downMessage = z.discriminatedUnion('t', [
  welcome,
  wait,
  move,
  rehello,
  job,
  skip,
  cancel,
  rack,
  kack,
  told,
  recall,
  config,
  cred,
])
export type DownMessage = z.infer<typeof downMessage>
export type MessageOf<M extends { t: string }, T extends M['t']> = Extract<M, { t: T }>

/**
 * MQTT client id of a gateway's second connection: a broker closes the first of two with one id. The first one has the gateway's id; each
 * connection that stands beside another has the one that the other has not.
 */
export function secondClientId(gatewayId: string): string {
  return `${gatewayId}_2`
}

/** Parts of the gateways, each a broadcast group. Permanent, because topics are assigned at pairing. */
export const SHARDS = 64

/** Topics of a gateway. */
export function topicsFor(gatewayId: string, shard: number): LinkTopics {
  const s = `tr/v1/s${shard.toString(16).padStart(2, '0')}`
  return { up: `${s}/g/${gatewayId}/up`, down: `${s}/g/${gatewayId}/down`, all: `${s}/all` }
}

/** FNV-1a of the id, modulo their number. */
export function shardOf(gatewayId: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < gatewayId.length; i++) hash = Math.imul(hash ^ gatewayId.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % SHARDS
}
