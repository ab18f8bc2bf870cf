// How many frames and bytes a WebSocket at /mqtt may bring. Empty frames, pings, pongs and pieces of a message that never ends are no MQTT, so
// nothing else counts them, and a line of 100 Mbit/s brings two million a second.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type Bucket, capacityOf, take } from '#cloud/limits/token-bucket.ts'
import type { Clock } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import type { GatewayBudget } from './gateway-budget.ts'
import type { Arrival } from './sign-in-gate.ts'

/** A CONNECT has about twenty, since mqtt.js sends each string of it by itself. */
const FRAMES_BEFORE_SIGN_IN = 256
/** On the line: a CONNECT, and the headers of so many frames. */
const BYTES_BEFORE_SIGN_IN = 2 * LINK_LIMITS.connectBytes
/** 40,000 at once, 20,000 a second: one that reports a long outage sends some ten thousand a second. */
const FRAMES = { steadyPerMinute: 60 * 20_000, burstPerMinute: 60 * 20_000 + 40_000 }
/** Of a frame that carries nothing. */
const LEAST_FRAME_BYTES = 6
/** Greatest message; no gateway sends one in pieces. */
export const MOST_WEB_MESSAGE_BYTES = LINK_LIMITS.windowBytes
/** What may have come of a message that is not whole yet. */
const MOST_UNFINISHED_BYTES = MOST_WEB_MESSAGE_BYTES + headerBytes(MOST_WEB_MESSAGE_BYTES)

export interface FrameLimits {
  clock: Pick<Clock, 'monotonicMs'>
  arrival: Pick<Arrival, 'signedInAs'>
  /** Of gateways; without it, what carries no MQTT costs nothing. */
  budget?: Pick<GatewayBudget, 'spend' | 'mayRead' | 'holdOff'> | undefined
}

/**
 * Ends the connection that brings more. Of a gateway each frame that carries no MQTT costs as much as a message.
 * @param socket beneath the WebSocket; call this in the callback of the upgrade, before anything is read
 */
export function limitFrames(webSocket: WebSocket, socket: Duplex, { clock, arrival, budget }: FrameLimits): void {
  const bucket: Bucket = { tokens: capacityOf(FRAMES), atMs: clock.monotonicMs() }
  let frames = 0
  let bytes = 0
  /** Bytes of the line that belong to no message that came, so far. */
  let unclaimed = 0
  let isEnded = false
  const end = (): void => {
    isEnded = true
    webSocket.terminate()
  }
  const frame = (payloadBytes: number): void => {
    if (isEnded) return
    if (payloadBytes > 0) unclaimed -= payloadBytes + headerBytes(payloadBytes)
    const { signedInAs } = arrival
    if (signedInAs === null ? ++frames <= FRAMES_BEFORE_SIGN_IN : take(bucket, FRAMES, clock.monotonicMs()).ok) return
    if (signedInAs !== null) budget?.holdOff(asId(signedInAs))
    end()
  }
  webSocket.on('message', (data: Buffer) => frame(data.length))
  for (const kind of ['ping', 'pong']) webSocket.on(kind, () => frame(0))
  // After the listener of `ws`, which has reported the messages that these bytes complete.
  socket.on('data', (chunk: Buffer) => {
    if (isEnded) return
    unclaimed += chunk.length
    const { signedInAs } = arrival
    if (signedInAs === null) {
      bytes += chunk.length
      if (bytes > BYTES_BEFORE_SIGN_IN) end()
      return
    }
    const idle = Math.floor((unclaimed - MOST_UNFINISHED_BYTES) / LEAST_FRAME_BYTES)
    if (idle <= 0 || !budget) return
    unclaimed -= idle * LEAST_FRAME_BYTES
    budget.spend(asId(signedInAs), { messages: idle, bytes: 0 })
    if (budget.mayRead(asId(signedInAs)) === 'closed') end()
  })
}

/** RFC 6455, 5.2: of a frame from a client. */
function headerBytes(payloadBytes: number): number {
  if (payloadBytes < 126) return LEAST_FRAME_BYTES
  return payloadBytes < 65_536 ? LEAST_FRAME_BYTES + 2 : LEAST_FRAME_BYTES + 8
}
