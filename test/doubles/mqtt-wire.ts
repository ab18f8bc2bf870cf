// A wire for MQTT on loopback that changes what is said on it: a test sees the text of each PUBLISH and gives it on as it likes, or not at all.
import { createServer, connect as dial, type Server, type Socket } from 'node:net'

/** `up`: to the broker. */
export type Way = 'up' | 'down'

/** What is given on of a message; null: nothing. */
type Meddler = (text: string) => string | null

const PUBLISH = 3

export class MqttWire {
  /** Connections so far. */
  accepted = 0
  readonly #meddlers: Record<Way, Meddler[]> = { up: [], down: [] }
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null

  /** Listens on 127.0.0.1 and gives everything on to this port there. @returns its own port */
  async start(targetPort: number): Promise<number> {
    const server = createServer({ noDelay: true }, (client) => {
      this.accepted++
      const broker = dial({ host: '127.0.0.1', port: targetPort, noDelay: true })
      this.#join(client, broker, 'up')
      this.#join(broker, client, 'down')
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the wire has no port')
    return address.port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()))
  }

  /** Each message that goes this way passes through it from now on, behind what was asked for before. */
  each(way: Way, meddler: Meddler): void {
    this.#meddlers[way].push(meddler)
  }

  /** Resolves when it has changed, or dropped, one message: the first that it would change. Those after it pass unchanged. */
  once(way: Way, meddler: Meddler): Promise<void> {
    return new Promise((resolve) => {
      let isDone = false
      this.each(way, (text) => {
        const given = isDone ? text : meddler(text)
        if (given === text) return text
        isDone = true
        resolve()
        return given
      })
    })
  }

  #join(from: Socket, to: Socket, way: Way): void {
    this.#sockets.add(from)
    let held: Buffer = Buffer.alloc(0)
    from.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      for (let packet = firstPacket(held); packet; packet = firstPacket(held)) {
        held = held.subarray(packet.length)
        const given = this.#meddle(packet, way)
        if (given) to.write(given)
      }
    })
    from.on('error', () => from.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
  }

  #meddle(packet: Buffer, way: Way): Buffer | null {
    const [first = 0] = packet
    if (first >> 4 !== PUBLISH) return packet
    const start = lengthOf(packet)?.start ?? 0
    const payloadAt = start + 2 + packet.readUInt16BE(start) + ((first & 6) === 0 ? 0 : 2)
    const said = packet.toString('utf8', payloadAt)
    let text: string | null = said
    for (const meddler of this.#meddlers[way]) text = text === null ? null : meddler(text)
    if (text === null) return null
    return text === said
      ? packet
      : packetOf(first, Buffer.concat([packet.subarray(start, payloadAt), Buffer.from(text)]))
  }
}

/** MQTT 3.1.1, 2.2.3: the length of what follows it, and where that begins. Null: not all here yet. */
function lengthOf(bytes: Buffer): { start: number; length: number } | null {
  let length = 0
  for (let at = 1; at < 5 && at < bytes.length; at++) {
    const digit = bytes[at] ?? 0
    length += (digit & 127) * 128 ** (at - 1)
    if (digit < 128) return { start: at + 1, length }
  }
  return null
}

function firstPacket(bytes: Buffer): Buffer | null {
  const known = lengthOf(bytes)
  if (!known || bytes.length < known.start + known.length) return null
  return bytes.subarray(0, known.start + known.length)
}

/** A packet with its length. @param first type and flags */
export function packetOf(first: number, ...parts: readonly Buffer[]): Buffer {
  const rest = Buffer.concat(parts)
  const length: number[] = []
  let left = rest.length
  do {
    length.push(left > 127 ? (left & 127) | 128 : left)
    left >>= 7
  } while (left > 0)
  return Buffer.concat([Uint8Array.of(first, ...length), rest])
}
