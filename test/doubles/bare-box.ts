// A gateway's MQTT client without the gateway behind it: it says what the test says, and keeps what it hears.
import mqtt, { type MqttClient } from 'mqtt'
import { topicsOf } from '#cloud/relay/broker-rules.ts'
import { asId } from '#shared/ids.ts'
import type { Said } from '#test/fixtures/link-desk.ts'

export class BareBox {
  readonly said: Said[] = []
  readonly gatewayId: string
  readonly #client: MqttClient
  readonly #arrived = new Set<() => void>()

  constructor(gatewayId: string, client: MqttClient) {
    this.gatewayId = gatewayId
    this.#client = client
    client.on('message', (_topic, payload) => {
      this.said.push({ ...JSON.parse(payload.toString()), to: asId<'gw'>(gatewayId) })
      for (const look of [...this.#arrived]) look()
    })
    client.on('error', () => undefined)
  }

  static async connect({
    port,
    gatewayId,
    token,
  }: {
    port: number
    gatewayId: string
    token: string
  }): Promise<BareBox> {
    const { up, down, all } = topicsOf(gatewayId)
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ clientId: gatewayId, username: gatewayId, password: token, protocolVersion: 4, reconnectPeriod: 0 },
      will: {
        topic: up,
        payload: Buffer.from(JSON.stringify({ v: 1, id: 'w', ts: 0, e: 1, t: 'will' })),
        qos: 1,
        retain: false,
      },
    })
    const made = new BareBox(gatewayId, client)
    await client.subscribeAsync([down, all], { qos: 1 })
    return made
  }

  /** Resolves when the broker has it, and so has the relay. */
  async say(message: object | string): Promise<void> {
    const text = typeof message === 'string' ? message : JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, ...message })
    await this.#client.publishAsync(topicsOf(this.gatewayId).up, text, { qos: 1 })
  }

  /** The first message of this type from the relay that passes, also one that came before. */
  async hears(type: string, fits: (message: Said) => boolean = () => true): Promise<Said> {
    for (;;) {
      const found = this.said.find((message) => message.t === type && fits(message))
      if (found) return found
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#arrived.delete(look)
          resolve()
        }
        this.#arrived.add(look)
      })
    }
  }

  /** Everything that the relay says at once to what it was told before has arrived. */
  async roundTrip(): Promise<void> {
    await this.#client.subscribeAsync(topicsOf(this.gatewayId).down, { qos: 1 })
  }

  /** A result was recorded and acknowledged: what was told before it is on disk, and what is said to that has arrived. */
  async reportsSomething(): Promise<void> {
    const jobId = `pj_echo_${this.said.length}`
    await this.say({ t: 'result', jobId, state: 'failed', startedAt: null, endedAt: 0, reason: null, tickets: [] })
    await this.hears('rack', ({ jobIds = [] }) => jobIds.includes(jobId))
  }

  /** The connection breaks: no DISCONNECT, so that the will is sent. */
  breaks(): void {
    this.#client.stream.destroy()
  }

  /** These bytes so often, past the MQTT client. */
  writesRaw(bytes: Buffer, times: number): void {
    this.#client.stream.write(Buffer.alloc(bytes.length * times, bytes))
  }

  closed(): Promise<void> {
    return new Promise((resolve) => (this.#client.connected ? this.#client.once('close', () => resolve()) : resolve()))
  }

  end(): void {
    this.#client.end(true)
  }
}
