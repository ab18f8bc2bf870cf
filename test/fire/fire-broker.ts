// A Mosquitto that the relays of a fire test share, with a list of passwords that stays as it is.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MosquittoFiles } from '#cloud/relay/broker-auth.ts'
import { MosquittoProcess, mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import type { FleetMember } from '#test/harness/simulated-fleet.ts'

const RELAY = { username: 'relay', password: 'relay-password-of-the-test' }

export class FireBroker {
  readonly port: number
  readonly #dir: string
  readonly #process: MosquittoProcess

  private constructor(port: number, dir: string, process: MosquittoProcess) {
    this.port = port
    this.#dir = dir
    this.#process = process
  }

  /** Lets these in. @throws without Debian's mosquitto */
  static async start(members: readonly FleetMember[], taken: number[]): Promise<FireBroker> {
    const dir = mkdtempSync(join(tmpdir(), 'ticketrail-fire-broker-'))
    const process = new MosquittoProcess(dir)
    const { passwordFile, aclFile } = process
    const files = new MosquittoFiles({ passwordFile, aclFile, relay: RELAY, reload: () => {} })
    await files.prepare()
    const admitted = members.map(async ({ gatewayId, token }) => ({
      gatewayId,
      line: await files.lineFor({ gatewayId, token }),
    }))
    await files.admitLines(await Promise.all(admitted))
    const broker = new FireBroker(await ownPort(taken), dir, process)
    await broker.run()
    return broker
  }

  /** Settings of a relay that uses it. */
  get env(): Record<string, string> {
    return {
      CLOUD_BROKER_URL: `mqtt://127.0.0.1:${this.port}`,
      CLOUD_BROKER_USERNAME: RELAY.username,
      CLOUD_BROKER_PASSWORD: RELAY.password,
    }
  }

  /** As `kill -9`. */
  kill(): Promise<void> {
    return this.#process.stop('SIGKILL')
  }

  run(): Promise<void> {
    return this.#process.start(mosquittoProgram() ?? 'mosquitto', this.port)
  }

  async remove(): Promise<void> {
    await this.#process.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
