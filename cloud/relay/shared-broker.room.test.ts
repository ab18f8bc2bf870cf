// A Mosquitto that several relays share, as one of them uses it: it exchanges messages with the gateways of its own shards, and with no others.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { shardOf } from '#shared/wire/gateway-link.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { MosquittoProcess, mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { MosquittoFiles } from './broker-auth.ts'
import { BrokerClient } from './broker-client.ts'
import { topicsOf } from './broker-rules.ts'
import { type Shards, SharedBroker } from './shared-broker.ts'

const RELAY = { username: 'relay', password: 'relay-password-of-the-test' }
const OURS = 'gw_ours'
const OTHER = 'gw_other'

/** The shards that a relay holds, set by the test. */
class ToldShards implements Shards {
  readonly serving: boolean[] = []
  #hooks: Parameters<Shards['start']>[0] | null = null
  readonly #held = new Set<number>()

  start(hooks: Parameters<Shards['start']>[0]): void {
    this.#hooks = hooks
  }
  async serve(serves: boolean): Promise<void> {
    this.serving.push(serves)
  }
  async stop(): Promise<void> {}
  holds(shard: number): boolean {
    return this.#held.has(shard)
  }
  get held(): readonly number[] {
    return [...this.#held]
  }
  take(gatewayId: string): void {
    this.#held.add(shardOf(gatewayId))
    this.#hooks?.taken([shardOf(gatewayId)])
  }
  async letGo(gatewayId: string): Promise<void> {
    this.#held.delete(shardOf(gatewayId))
    await this.#hooks?.letGo(new Set([shardOf(gatewayId)]))
  }
}

const program = mosquittoProgram()
if (program === null)
  process.stderr.write('cloud/relay/shared-broker.room.test.ts is skipped: apt-get install mosquitto\n')

describe.skipIf(program === null)('a relay at a broker that others use, too', () => {
  let dir: string
  let mosquitto: MosquittoProcess
  let port: number
  let clock: ManualClock
  let shards: ToldShards
  let broker: SharedBroker
  let heard: string[]
  let taken: number[]
  let gone: string[]
  let boxes: BareBox[]

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'shared-broker-'))
    mosquitto = new MosquittoProcess(dir)
    const { passwordFile, aclFile } = mosquitto
    const files = new MosquittoFiles({ passwordFile, aclFile, relay: RELAY, reload: () => {} })
    await files.prepare()
    for (const gatewayId of [OURS, OTHER]) await files.admit({ gatewayId, token: gatewayId })
    port = await findFreePort([])
    await mosquitto.start(program ?? '', port)
    clock = new ManualClock()
    shards = new ToldShards()
    const log = pino({ level: 'silent' })
    const url = `mqtt://127.0.0.1:${port}`
    const client = new BrokerClient({ url, ...RELAY, isShared: true, clock, random: () => 0, log })
    gone = []
    const letGo = async (isGone: (gatewayId: never) => boolean) =>
      void gone.push(...[OURS, OTHER].filter((id) => isGone(id as never)))
    broker = new SharedBroker({ client, shards, clock, letGo })
    heard = []
    taken = []
    boxes = []
    broker.message.subscribe(({ topic }) => heard.push(topic))
    broker.taken.subscribe((list) => taken.push(...list))
    await broker.start()
    for (const gatewayId of [OURS, OTHER]) boxes.push(await BareBox.connect({ port, gatewayId, token: gatewayId }))
  })
  afterEach(async () => {
    for (const box of boxes) box.end()
    await broker.stop()
    await mosquitto.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const box = (n: number): BareBox => boxes[n] as BareBox
  /** The broker is killed. */
  async function goesAway(): Promise<void> {
    await mosquitto.stop('SIGKILL')
    await expect.poll(() => broker.up).toBe(false)
  }
  /** The broker is started again, and the relay connects. */
  async function comesBack(): Promise<void> {
    await mosquitto.start(program ?? '', port)
    await expect
      .poll(async () => {
        await clock.advance(500)
        return broker.up
      })
      .toBe(true)
  }
  /** Sends it until it arrives: the broker activates a filter a moment later. */
  const saysUntilHeard = (n: number, topic: string) =>
    expect
      .poll(async () => {
        await box(n).say({ t: 'bye' })
        return heard.includes(topic)
      })
      .toBe(true)

  it('receives from a gateway while it holds its shard, and never from another', async () => {
    expect(shardOf(OURS)).not.toBe(shardOf(OTHER))
    shards.take(OURS)
    expect(taken).toEqual([shardOf(OURS)])
    await box(1).say({ t: 'bye' })
    await saysUntilHeard(0, topicsOf(OURS).up)
    await shards.letGo(OURS)
    expect(gone).toEqual([OURS])
    heard.length = 0
    await box(0).say({ t: 'bye' })
    shards.take(OTHER)
    await saysUntilHeard(1, topicsOf(OTHER).up)
    expect(new Set(heard)).toEqual(new Set([topicsOf(OTHER).up]))
  })

  it('sends nothing to a gateway of another relay', async () => {
    shards.take(OURS)
    broker.publish(topicsOf(OTHER).down, JSON.stringify({ t: 'rehello' }))
    broker.publish(topicsOf(OURS).down, JSON.stringify({ t: 'rehello' }))
    await box(0).hears('rehello')
    // The broker passes on in order: what came before has arrived.
    await box(1).roundTrip()
    expect(box(1).said).toEqual([])
  })

  it('receives from its gateways again when the connection to the broker is back, and calls them', async () => {
    shards.take(OURS)
    await goesAway()
    await comesBack()
    expect(taken).toEqual([shardOf(OURS), shardOf(OURS)])
    box(0).end()
    boxes[0] = await BareBox.connect({ port, gatewayId: OURS, token: OURS })
    await saysUntilHeard(0, topicsOf(OURS).up)
  })

  it('leaves its gateways to others when the broker is away from it for five seconds', async () => {
    expect(shards.serving).toEqual([true])
    await goesAway()
    await clock.advance(4_999)
    expect(shards.serving).toEqual([true])
    await clock.advance(1)
    expect(shards.serving).toEqual([true, false])
  })

  it('takes nothing any more when it has left, also when the connection is back', async () => {
    await broker.leave()
    await goesAway()
    await comesBack()
    expect(shards.serving).toEqual([true, false])
  })
})
