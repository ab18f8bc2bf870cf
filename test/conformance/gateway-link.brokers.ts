// The brokers that the link's suite runs on: the embedded one, and Debian's Mosquitto with the files that the relay writes for it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrokerAuth, MosquittoFiles } from '#cloud/relay/broker-auth.ts'
import type { RelayOptions } from '#cloud/relay/relay.ts'
import { MosquittoProcess } from '#test/doubles/mosquitto.ts'
import { ownPort } from '#test/doubles/own-port.ts'

export interface BrokerUnderTest {
  readonly name: string
  /** Credentials that the broker keeps itself. */
  readonly auth?: BrokerAuth
  start(): Promise<void>
  stop(): Promise<void>
  relayConfig(): RelayOptions['config']
  /** Where gateways connect to, given the port of the relay's embedded broker. */
  port(relayPort: number): number
  /** SIGKILL and start again; null when the broker is part of the relay and dies with it. */
  readonly killAndRestart: (() => Promise<void>) | null
}

export function embedded(): BrokerUnderTest {
  return {
    name: 'embedded aedes',
    start: async () => {},
    stop: async () => {},
    relayConfig: () => ({ mqttHost: '127.0.0.1', mqttPort: 0 }),
    port: (relayPort) => relayPort,
    killAndRestart: null,
  }
}

export class Mosquitto implements BrokerUnderTest {
  readonly name = 'mosquitto'
  readonly auth: MosquittoFiles
  readonly #program: string
  readonly #dir = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  readonly #process = new MosquittoProcess(this.#dir)
  readonly #relay = { username: 'relay', password: 'relay-password-of-the-test' }
  #port = 0

  constructor(program: string) {
    this.#program = program
    const { passwordFile, aclFile } = this.#process
    this.auth = new MosquittoFiles({ passwordFile, aclFile, relay: this.#relay, reload: () => this.#process.hangUp() })
  }

  async start(): Promise<void> {
    this.#port = await ownPort()
    await this.auth.prepare()
    await this.#process.start(this.#program, this.#port)
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  readonly killAndRestart = async (): Promise<void> => {
    await this.#process.stop('SIGKILL')
    await this.#process.start(this.#program, this.#port)
  }

  relayConfig(): RelayOptions['config'] {
    return {
      mqttHost: '127.0.0.1',
      mqttPort: 0,
      brokerUrl: `mqtt://127.0.0.1:${this.#port}`,
      brokerUsername: this.#relay.username,
      brokerPassword: this.#relay.password,
    }
  }

  port(): number {
    return this.#port
  }
}
