// What a gateway's hello means for its stream: the relay's view is brought in line with the gateway's disk (docs/wire-protocol.md, "Hello").
import type { Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Gateway, GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { HandBackStore, RecallRange } from '#cloud/storage/hand-back-store.ts'
import type { GatewayId } from '#shared/ids.ts'
import { CAP_DIGEST, CAP_MOVE, CAP_ORDER_DETAILS, type MessageOf, type UpMessage } from '#shared/wire/gateway-link.ts'
import { CAP_HAND_BACK } from '#shared/wire/hand-back.ts'
import type { SessionFacts } from './gateway-session.ts'
import type { HelloReason } from './link-observer.ts'
import type { RestoreWatch } from './restore-watch.ts'
import { isKnownMachine } from './twin-watch.ts'

type Hello = MessageOf<UpMessage, 'hello'>

export interface Resuming {
  dispatches: DispatchStore
  gateways: GatewayStore
  handBacks: HandBackStore
  watch: RestoreWatch
  gatewayId: GatewayId
  hello: Hello
  nowMs: number
}

export interface Resumed {
  facts: SessionFacts
  /** Jobs that wait again because a disk was lost. */
  requeued: number
  why: HelloReason
  /** Called after the commit. */
  remember: () => void
}

/** Part of the unit `tx`. @returns null for a gateway that may not enter */
export async function resumeStream(tx: Tx, resuming: Resuming): Promise<Resumed | null> {
  const { dispatches, gateways, gatewayId, hello, nowMs } = resuming
  const gateway = await gateways.byId(gatewayId, tx)
  if (!gateway || gateway.revoked) return null
  const { stream } = hello
  const known = gateway.stream === stream
  // Another relay has welcomed a later connection of this box meanwhile: this one has ended, or is about to.
  if (known && gateway.bootId === hello.bootId && hello.e < gateway.sessionEpoch) return null
  const last = lastOf(gateway, hello)
  const requeued = !known && gateway.stream !== null ? await dispatches.requeueAfterLostStream(tx, gatewayId) : []
  const highest = known ? gateway.lastSeq : await dispatches.highestSeq(tx, gatewayId, stream)
  // Behind `last`, another disk than this one may have it, and paper too.
  if (known && (last < gateway.ackedSeq || isAnotherDisk(gateway, hello))) {
    await dispatches.rewind(tx, { gatewayId, stream, afterSeq: last })
    // What was called off at the other disk waits on this one, or has been printed from it.
    await dispatches.reopenCancels(tx, { gatewayId, stream, upToSeq: last, nowMs })
  }
  const afterSeq = known ? Math.min(gateway.ackedSeq, last) : 0
  await dispatches.accept(tx, { gatewayId, stream, afterSeq, upToSeq: last, nowMs })
  // A gateway that has more than the relay sent: the relay was restored from an older backup and continues after that number.
  const lastSeq = Math.max(highest, last)
  const { recall, remember } = await toRecall(tx, resuming, { gateway, highest, last })
  await gateways.recordHello(tx, {
    gatewayId,
    stream,
    ackedSeq: last,
    lastSeq,
    sessionEpoch: hello.e,
    bootId: hello.bootId,
    machine: hello.machine ?? null,
    isKnown: isKnownMachine(hello.machine ?? null, gateway.machine),
    disk: hello.disk ?? null,
    appVersion: hello.app,
    caps: hello.caps,
    nowMs,
  })
  const fresh = gateway.sessionEpoch !== hello.e || gateway.bootId !== hello.bootId
  const { locationId } = gateway
  const isWithoutDetails = !hello.caps.includes(CAP_ORDER_DETAILS)
  const isWithoutDigests = !hello.caps.includes(CAP_DIGEST)
  const abilities = { isWithoutDetails, isWithoutDigests, canMove: hello.caps.includes(CAP_MOVE) }
  const counters = { acked: last, lastSeq, fresh }
  const facts = {
    gatewayId,
    locationId,
    stream,
    epoch: hello.e,
    bootId: hello.bootId,
    recall,
    ...counters,
    ...abilities,
  }
  return { facts, requeued: requeued.length, why: reasonOf(gateway, hello), remember }
}

/**
 * The last number on the gateway's disk. A hello may have waited here or at another relay while jobs were sent on the same connection: a
 * number that was acknowledged on it meanwhile is on the disk, whatever the hello contains.
 */
function lastOf(gateway: Gateway, hello: Hello): number {
  const { stream, bootId, sessionEpoch, ackedSeq } = gateway
  const isSameConnection = stream === hello.stream && bootId === hello.bootId && sessionEpoch === hello.e
  return isSameConnection ? Math.max(hello.last, ackedSeq) : hello.last
}

function reasonOf(before: Pick<Gateway, 'stream' | 'bootId' | 'sessionEpoch' | 'disk'>, hello: Hello): HelloReason {
  if (before.stream === null) return 'first'
  if (before.stream !== hello.stream) return 'memory_lost'
  if (isAnotherDisk(before, hello)) return 'another_disk'
  if (before.bootId !== hello.bootId) return 'boot'
  return before.sessionEpoch === hello.e ? 'asked' : 'reconnect'
}

/** `recall`: what this relay has forgotten of the gateway, and the gateway can hand back; null: nothing. */
async function toRecall(
  tx: Tx,
  { handBacks, watch, gatewayId, hello, nowMs }: Resuming,
  { gateway, highest, last }: { gateway: Gateway; highest: number; last: number },
): Promise<{ recall: RecallRange | null; remember: () => void }> {
  const { stream, caps } = hello
  const { locationId } = gateway
  const isNew = gateway.stream !== stream
  const open = isNew ? null : await handBacks.rangeOf(tx, gatewayId)
  const isMemoryLost = isNew && gateway.stream !== null && watch.isFirstSince(gateway)
  const range = rangeFor({ open, highest, last, isMemoryLost })
  if (isNew || open !== null || range !== null) await handBacks.setRange(tx, gatewayId, { range, nowMs })
  if (range === null) return { recall: null, remember: () => watch.clearDoubt(locationId, gatewayId) }
  let learn = (): void => {}
  if (last > highest) learn = await watch.noteAhead(tx, gateway)
  const remember = (): void => {
    learn()
    watch.beginDoubt(locationId, gatewayId, open?.sinceMs ?? nowMs)
  }
  return { recall: range.upTo > range.after && caps.includes(CAP_HAND_BACK) ? range : null, remember }
}

function rangeFor(at: {
  /** What it still had to hand back. */
  open: RecallRange | null
  highest: number
  last: number
  isMemoryLost: boolean
}): RecallRange | null {
  const { open, highest, last, isMemoryLost } = at
  if (last > highest) return { after: Math.min(open?.after ?? highest, highest), upTo: last }
  if (open !== null) return { after: open.after, upTo: open.upTo }
  return isMemoryLost ? { after: 0, upTo: 0 } : null
}

/**
 * Whether another disk than this one may have what was sent last: an older image, or a copied card. The box reports it when it cannot prove
 * that it has the newest. For older boxes the epochs, which are counted on disk, show it: a boot that began before the last session, and was
 * not that session, runs on a copy at the same time, or on an older image.
 */
function isAnotherDisk(
  last: { bootId: string | null; sessionEpoch: number; disk: string | null },
  hello: Hello,
): boolean {
  if (last.bootId === null || last.bootId === hello.bootId) return false
  const isSaid = last.disk !== null && hello.disk !== undefined
  return (isSaid && last.disk !== hello.disk) || (hello.bootEpoch ?? hello.e) <= last.sessionEpoch
}
