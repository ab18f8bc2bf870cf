// As much of MQTT 3.1.1 as a gateway speaks, without a library: thousands of clients of one process cost a few kilobytes each.
import { packetOf } from '#test/doubles/mqtt-wire.ts'

export type Packet =
  | { type: 'connack'; code: number }
  | { type: 'suback'; codes: readonly number[] }
  /** `packetId`: of QoS 1, which is to be acknowledged; null: of QoS 0. */
  | { type: 'publish'; payload: Buffer; packetId: number | null }
  | { type: 'other' }

const CONNACK = 2
const PUBLISH = 3
const SUBACK = 9

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A clean session with a will of QoS 1 on `topic`. */
export function connectPacket(it: {
  name: string
  password: string
  keepaliveSeconds: number
  will: { topic: string; payload: string }
}): Buffer {
  const USER_PASSWORD_WILL_CLEAN = 0b1100_1110
  const head = Buffer.from([4, USER_PASSWORD_WILL_CLEAN, it.keepaliveSeconds >> 8, it.keepaliveSeconds & 255])
  const { topic, payload } = it.will
  return packetOf(0x10, text('MQTT'), head, text(it.name), text(topic), text(payload), text(it.name), text(it.password))
}

export function subscribePacket(topics: readonly string[]): Buffer {
  const QOS_1 = Buffer.from([1])
  return packetOf(0x82, Buffer.from([0, 1]), ...topics.flatMap((topic) => [text(topic), QOS_1]))
}

/** QoS 1. */
export function publishPacket(topic: string, payload: string, packetId: number): Buffer {
  return packetOf(0x32, text(topic), Buffer.from([packetId >> 8, packetId & 255]), Buffer.from(payload))
}

export function pubackPacket(packetId: number): Buffer {
  return packetOf(0x40, Buffer.from([packetId >> 8, packetId & 255]))
}

export const PING = Buffer.from([0xc0, 0])

const EMPTY = Buffer.alloc(0)

/** Takes bytes as they arrive, and gives the packets that are whole. */
export class PacketSplitter {
  #held: Buffer = EMPTY

  take(chunk: Buffer): Buffer[] {
    const packets: Buffer[] = []
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    for (let end = endOfFirst(this.#held); end !== null; end = endOfFirst(this.#held)) {
      packets.push(this.#held.subarray(0, end))
      this.#held = this.#held.subarray(end)
    }
    // Else it would keep the whole chunk.
    if (this.#held.length === 0) this.#held = EMPTY
    return packets
  }
}

/** Null: it is not whole yet. */
function endOfFirst(bytes: Buffer): number | null {
  let length = 0
  for (let at = 1; at < 5 && at < bytes.length; at++) {
    const digit = bytes[at] ?? 0
    length += (digit & 127) * 128 ** (at - 1)
    if (digit >= 128) continue
    const end = at + 1 + length
    return bytes.length < end ? null : end
  }
  return null
}

/** What a broker sends. */
export function readPacket(packet: Buffer): Packet {
  const first = packet[0] ?? 0
  const lengthBytes = [1, 2, 3, 4].find((at) => (packet[at] ?? 0) < 128) ?? 1
  const body = packet.subarray(1 + lengthBytes)
  switch (first >> 4) {
    case CONNACK:
      return { type: 'connack', code: body[1] ?? 255 }
    case SUBACK:
      return { type: 'suback', codes: [...body.subarray(2)] }
    case PUBLISH: {
      const hasId = (first & 6) !== 0
      const end = 2 + body.readUInt16BE(0)
      const packetId = hasId ? body.readUInt16BE(end) : null
      return { type: 'publish', payload: body.subarray(end + (hasId ? 2 : 0)), packetId }
    }
    default:
      return { type: 'other' }
  }
}
