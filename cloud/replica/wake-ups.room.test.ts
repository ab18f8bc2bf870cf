// Notifications between relays on one PostgreSQL database about what they have stored.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { WakeUps } from './wake-ups.ts'

const log = pino({ level: 'silent' })

if (postgresPrograms() === null)
  process.stderr.write("cloud/replica/wake-ups.room.test.ts is skipped: Debian's postgresql is not installed\n")

describe.runIf(postgresPrograms() !== null)('two relays notify each other', () => {
  let server: PostgresServer
  let url: string
  let dbs: PostgresDatabase[]
  let admin: Client
  beforeAll(async () => {
    server = await PostgresServer.start()
    admin = new Client({ connectionString: server.url() })
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end()
    await server.remove()
  })
  let made = 0
  beforeEach(async () => {
    const name = `wake_ups_${made++}`
    await admin.query(`create database ${name} template template0`)
    url = server.url(name)
    dbs = [await PostgresDatabase.open({ url }), await PostgresDatabase.open({ url })]
  })
  afterEach(async () => {
    for (const db of dbs) await db.close()
  })

  const at = <T>(list: readonly T[], n: number): T => list[n] as T

  /** Once it is connected it reads everything. */
  const hears = ({ deliveries }: ReturnType<typeof openStores>) => deliveries.changed.next()
  let wakeUps: WakeUps[]
  let stores: ReturnType<typeof openStores>[]
  beforeEach(async () => {
    stores = dbs.map((db) => openStores(db))
    wakeUps = dbs.map(
      ({ replicaId }, n) => new WakeUps({ ...at(stores, n), shards: null, url, replicaId, clock: systemClock, log }),
    )
    const listening = stores.map(hears)
    for (const wakeUp of wakeUps) await wakeUp.start()
    await Promise.all(listening)
  })
  afterEach(async () => {
    for (const wakeUp of wakeUps) await wakeUp.stop()
  })

  test('of jobs, by their location, and of deliveries: each is received once at the other, and not sent back', async () => {
    const heard: string[] = []
    for (const [n, { dispatches, deliveries }] of stores.entries()) {
      dispatches.changed.subscribe((location) => heard.push(`${n} ${location}`))
      deliveries.changed.subscribe((endpoint) => heard.push(`${n} ${endpoint}`))
    }
    const [a, b, endpoint] = [newId('loc', 1), newId('loc', 2), newId('we', 3)]
    for (let i = 0; i < 3; i++) at(stores, 0).dispatches.changed.notify(a)
    at(stores, 0).deliveries.announce([endpoint, endpoint])
    const other = () => heard.filter((line) => line.startsWith('1')).toSorted()
    await expect.poll(other).toEqual([`1 ${a}`, `1 ${endpoint}`])
    // If the first notification were sent back, it came before the answer to this one.
    at(stores, 1).dispatches.changed.notify(b)
    await expect.poll(() => heard.includes(`0 ${b}`)).toBe(true)
    expect(heard.filter((line) => line === `0 ${a}`)).toHaveLength(3)
  })

  test('and themselves, to measure how long a notification takes', async () => {
    const clock = new ManualClock()
    const one = new WakeUps({
      ...at(stores, 0),
      url,
      shards: null,
      replicaId: 'r_lag',
      measuresLag: true,
      clock,
      log,
    })
    const listening = hears(at(stores, 0))
    await one.start()
    await listening
    expect(one.lagMs()).toBeNull()
    await clock.advance(5_000)
    // It is sent together with everything else within 5 ms.
    await clock.advance(5)
    await expect.poll(() => one.lagMs()).toBe(5)
    await one.stop()
  })

  test('a notification that does not return is as late as it has been in flight', async () => {
    const clock = new ManualClock()
    const nowhere = 'postgres://127.0.0.1:1/none'
    const one = new WakeUps({
      ...at(stores, 0),
      url: nowhere,
      shards: null,
      replicaId: 'r_lag',
      measuresLag: true,
      clock,
      log,
    })
    await one.start()
    await clock.advance(8_000)
    expect(one.lagMs()).toBe(3_000)
    await one.stop()
  })

  test('nothing while the server does not answer: a relay starts all the same, and receives as soon as it does', async () => {
    const held: Socket[] = []
    const door = createServer({ pauseOnConnect: true }, (socket) => held.push(socket.on('error', () => {})))
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const behind = new URL(url)
    behind.port = String((door.address() as AddressInfo).port)
    // By this clock no second connection is ever tried: the first one must still be wanted.
    const one = new WakeUps({
      ...at(stores, 0),
      url: behind.href,
      shards: null,
      replicaId: 'r_late',
      clock: new ManualClock(),
      log,
    })
    const listening = hears(at(stores, 0))
    await one.start()
    await expect.poll(() => held.length).toBe(1)
    for (const socket of held) {
      const upstream = connect(server.port, '127.0.0.1').on('error', () => {})
      socket.pipe(upstream).pipe(socket)
    }
    await listening
    await one.stop()
    await new Promise((resolve) => door.close(resolve))
  })

  test('nothing while the server is away, and log it once at the start and once at the end, without a stack', async () => {
    const lines: string[] = []
    let isThere = false
    let turnedAway = 0
    const door = createServer((socket) => {
      socket.on('error', () => {})
      if (isThere) return void socket.pipe(connect(server.port, '127.0.0.1').on('error', () => {})).pipe(socket)
      turnedAway += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const behind = new URL(url)
    behind.port = String((door.address() as AddressInfo).port)
    const clock = new ManualClock()
    const one = new WakeUps({
      ...{ ...at(stores, 0), url: behind.href, shards: null, replicaId: 'r_told', clock },
      log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    })
    const tryAgain = () => clock.advance(500)
    await one.start()
    await expect.poll(() => tryAgain().then(() => turnedAway)).toBeGreaterThan(4)
    isThere = true
    await expect.poll(() => tryAgain().then(() => lines.length)).toBeGreaterThan(1)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'other relays cannot be told what was stored: they look for themselves',
      'other relays are told again what is stored',
    ])
    expect(lines[0]).not.toContain('stack')
    await one.stop()
    await new Promise((resolve) => door.close(resolve))
  })

  test('more than fits into a notification is a reason to check everything', async () => {
    const heard: string[] = []
    at(stores, 1).posOutbox.changed.subscribe(() => heard.push('pos'))
    for (let i = 0; i < 400; i++) at(stores, 0).dispatches.changed.notify(newId('loc', i))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
  })

  test('a foreign notification wakes nothing, and ends nothing', async () => {
    const heard: string[] = []
    at(stores, 1).dispatches.changed.subscribe((location) => heard.push(location))
    const writer = new Client({ connectionString: url })
    await writer.connect()
    for (const text of ['', 'x', `x d:${'a'.repeat(7_000)}`, 'x d:loc_1;drop d: d q:1', "x d:'"])
      await writer.query('select pg_notify($1, $2)', ['ticketrail', text])
    await writer.end()
    const last = newId('loc', 9)
    at(stores, 0).dispatches.changed.notify(last)
    await expect.poll(() => heard).toEqual([last])
  })

  test('again after a stop with something unsaid, and a start', async () => {
    const own = openStores(at(dbs, 0))
    const clock = new ManualClock()
    const one = new WakeUps({ ...own, url, shards: null, replicaId: 'r_again', clock, log })
    let listening = hears(own)
    await one.start()
    await listening
    own.posOutbox.changed.notify()
    await one.stop()
    listening = hears(own)
    await one.start()
    await listening
    const heard = at(stores, 1).dispatches.changed.next()
    own.dispatches.changed.notify(newId('loc', 1))
    await clock.advance(5)
    await heard
    await one.stop()
  })

  test('over a connection that lives for half an hour at most: a name may lead to another server by then', async () => {
    const own = openStores(at(dbs, 0))
    const clock = new ManualClock()
    const one = new WakeUps({ ...own, url, shards: null, replicaId: 'r_old', clock, log })
    const pids = async () =>
      (await admin.query(`select pid from pg_stat_activity where application_name = 'ticketrail/r_old wake-ups'`)).rows
    let listening = hears(own)
    await one.start()
    await listening
    const first = await pids()
    expect(first).toHaveLength(1)
    listening = hears(own)
    await clock.advance(1_799_000)
    expect(await pids()).toEqual(first)
    await clock.advance(1_000)
    await expect.poll(pids).toEqual([])
    await expect.poll(() => clock.advance(500).then(pids)).toHaveLength(1)
    await listening
    await one.stop()
  })

  test('again when the connection was cut', async () => {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%wake-ups'`)
    const heard: string[] = []
    at(stores, 1).deliveries.changed.subscribe(() => heard.push('deliveries'))
    await expect
      .poll(() => {
        at(stores, 0).deliveries.changed.notify(null)
        return heard.length
      })
      .toBeGreaterThan(1)
  })
})
