// A second box of the same kitchen with a printer of its own, as a real program: it comes and goes as the test says.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { compiledCode } from './compiled-code.ts'
import type { JudgedKitchen } from './judged-kitchen.ts'
import { Program } from './program.ts'

export class SecondBox {
  readonly printer = new VirtualPrinter()
  #program: Program | null = null

  /** Registered while the relay is down for a moment. Its paper counts in the kitchen's judgement. */
  async pair(kitchen: JudgedKitchen): Promise<void> {
    const { site } = kitchen
    await site.cloud.kill('SIGTERM')
    const db = await SqliteDatabase.open(join(site.dir, 'cloud/relay.db'), (error) => {
      throw error
    })
    const { location_id: locationId } = await db.read
      .selectFrom('gateways')
      .select('location_id')
      .executeTakeFirstOrThrow()
    const deps = { db, gateways: new GatewayStore(db), clock: systemClock }
    const { gatewayId, token, topics } = await registerGateway(deps, { locationId, name: 'Second' })
    await db.close()
    await site.startCloud()
    const { host, port } = await this.printer.start()
    kitchen.others.push(this.printer)
    const dir = join(site.dir, 'second')
    mkdirSync(dir)
    const names = { merchantName: 'Test kitchen', timeZone: 'America/New_York' }
    const brokerUrl = `mqtt://127.0.0.1:${site.mqttPort}`
    writeFileSync(join(dir, 'pairing.json'), JSON.stringify({ gatewayId, token, topics, ...names, brokerUrl }), {
      mode: 0o600,
    })
    this.#program = new Program(
      'gateway/main.ts',
      {
        GATEWAY_DATABASE: join(dir, 'gateway.db'),
        GATEWAY_PROOF_FOLDER: join(dir, 'proof'),
        GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
        GATEWAY_PRINTERS: `kitchen=${host}:${port}`,
        GATEWAY_HTTP_PORT: '0',
        ...compiledCode(process.execPath, 'gateways'),
      },
      false,
      ['--max-semi-space-size=1'],
    )
  }

  async start(): Promise<void> {
    await this.#program?.start()
  }

  async leave(): Promise<void> {
    await this.#program?.kill('SIGTERM')
  }

  async stop(): Promise<void> {
    await this.#program?.kill('SIGKILL')
    await this.printer.stop()
  }
}
