// A gateway says hello to one relay while another relay still hands its stream out, or welcomes it as well: no number is given below one that
// is in use, and the stream goes on.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { resumeStream } from '#cloud/relay/resume-stream.ts'
import type { OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { hello } from '#shared/wire/gateway-link.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
})
afterEach(() => relays.close())

const STREAM = 'stream-a'

/** What a relay knows of its session with the gateway. */
interface Session {
  gatewayId: GatewayId
  epoch: number
  lastSeq: number
}

let made = 0
async function newGateway(): Promise<GatewayId> {
  const gatewayId = asId<'gw'>(`gw_${made++}`)
  const { db, gateways } = relays.a
  const { locationId } = relays
  const at = { id: gatewayId, locationId, name: 'Pi', tokenHash: '0', shard: 0, createdAtMs: relays.clock.now() }
  await db.unit((tx) => gateways.insert(tx, at))
  return gatewayId
}

/** The unit of a hello. Null: it may not enter. */
async function greet(relay: Relay, gatewayId: GatewayId, e: number, last: number): Promise<Session | null> {
  const said = hello.parse({
    ...{ v: 1, id: 'm', ts: 0, e, t: 'hello', proto: [1, 1], stream: STREAM, last, bootId: 'boot-a' },
    ...{ app: 'a', cfgVer: 0, caps: [], t0: 0, unreported: 0 },
  })
  const resuming = { ...relay, gatewayId, hello: said, nowMs: relays.clock.now() }
  const resumed = await relay.db.unit((tx) => resumeStream(tx, resuming))
  return resumed && { gatewayId, epoch: e, lastSeq: resumed.facts.lastSeq }
}

/** Null: another session has the gateway. */
async function claim(relay: Relay, session: Session): Promise<OutgoingJob[] | null> {
  const window = { maxJobs: 16, maxBytes: 1e6, atLeastOne: true, nowMs: relays.clock.now() }
  const request = { ...session, ...window, stream: STREAM, locationId: relays.locationId }
  const jobs = await relay.db.unit((tx) => relay.dispatches.claim(tx, request))
  session.lastSeq = jobs?.at(-1)?.seq ?? session.lastSeq
  return jobs
}

async function insertJobs(count: number): Promise<void> {
  const content = [{ type: 'text' as const, text: 'Béarnaise' }]
  const target = { printerId: null, station: null, copies: 1 }
  const { locationId } = relays
  const print = { merchantId: 'M', locationId, timeZone: 'UTC', title: null, content, target, queuedAtMs: 0 }
  const times = { availableAtMs: 0, notBeforeMs: null, expiresAtMs: null, createdAtMs: 0 }
  await relays.db.unit(async (tx) => {
    for (let i = 0; i < count; i++) {
      const id = asId<'pj'>(`pj_${made++}`)
      const doc = { kind: 'label' as const, print }
      await relays.a.dispatches.insert(tx, { id, orderId: null, locationId, doc, ...times })
    }
  })
}

/** What is wrong with the gateway's stream now. The session of the newest hello is asked to hand the next job out. */
async function wrongWith(relay: Relay, newest: Session | null, gatewayId: GatewayId): Promise<string[]> {
  const row = await relays.db.read
    .selectFrom('gateways')
    .select(['last_seq', 'session_epoch'])
    .where('id', '=', gatewayId)
    .executeTakeFirstOrThrow()
  const used = await relays.db.unit((tx) => relays.a.dispatches.highestSeq(tx, gatewayId, STREAM))
  const wrong = when(row.last_seq < used, 'last_seq is below a number in use')
  if (newest === null) return [...wrong, 'the newest hello was refused']
  if (row.session_epoch < newest.epoch) wrong.push('an older hello has taken the gateway from the newest')
  await insertJobs(1)
  const [next] = await atOnce(() => claim(relay, newest))
  const jobs = resultOf(next)
  return [
    ...wrong,
    ...failures([next]).map((failed) => `the stream is stuck: ${failed}`),
    ...when(next.status === 'fulfilled' && jobs === null, 'the newest session can claim nothing'),
    ...when(jobs?.length === 0, 'the newest session is given nothing'),
  ]
}

describe('a hello while the session before it claims at another relay', () => {
  it('leaves no number below one in use, and the new session continues', async () => {
    await race(async (round) => {
      const gatewayId = await newGateway()
      const [older, newer] = [relays.relay(round), relays.relay(round + 1)]
      const first = await greet(older, gatewayId, 1, 0)
      if (first === null) return ['the first hello was refused']
      await insertJobs(2)
      const results = await atOnce(
        () => claim(older, first),
        () => greet(newer, gatewayId, 2, 0),
      )
      const second = resultOf(results[1])
      return [...failures(results), ...(await wrongWith(newer, second, gatewayId)), ...(await emptied(newer, second))]
    })
  })
})

describe('hellos of one gateway at two relays', () => {
  it('leave no number below one in use, and the session of the newest continues', async () => {
    await race(async (round) => {
      const gatewayId = await newGateway()
      const [one, other] = [relays.relay(round), relays.relay(round + 1)]
      const first = await greet(one, gatewayId, 1, 0)
      if (first === null) return ['the first hello was refused']
      await insertJobs(2)
      const results = await atOnce(
        () => greet(one, gatewayId, 2, 0),
        () => greet(other, gatewayId, 3, 0),
        () => claim(one, first),
      )
      const newest = resultOf(results[1])
      return [...failures(results), ...(await wrongWith(other, newest, gatewayId)), ...(await emptied(other, newest))]
    })
  })

  it('while both sessions hand jobs out: each number is given once', async () => {
    await race(async (round) => {
      const gatewayId = await newGateway()
      const [one, other] = [relays.relay(round), relays.relay(round + 1)]
      const work = async (relay: Relay, epoch: number): Promise<OutgoingJob[]> => {
        const session = await greet(relay, gatewayId, epoch, 0)
        const jobs: OutgoingJob[] = []
        for (let i = 0; session !== null && i < 3; i++) jobs.push(...((await claim(relay, session)) ?? []))
        return jobs
      }
      await insertJobs(4)
      const results = await atOnce(
        () => work(one, 1),
        () => work(other, 2),
        () => insertJobs(2),
      )
      const given = [...(resultOf(results[0]) ?? []), ...(resultOf(results[1]) ?? [])]
      const newest = await greet(other, gatewayId, 3, 0)
      return [
        ...failures(results),
        ...when(new Set(given.map(({ seq }) => seq)).size !== given.length, 'a number was given twice'),
        ...when(new Set(given.map(({ jobId }) => jobId)).size !== given.length, 'a job was given twice'),
        ...(await wrongWith(other, newest, gatewayId)),
        ...(await emptied(other, newest)),
      ]
    })
  })
})

describe('two relays that own a gateway for a moment, on one and the same connection', () => {
  it('give each number and each job once, and the loser continues after another hello', async () => {
    await race(async (round) => {
      const gatewayId = await newGateway()
      const [one, other] = [relays.relay(round), relays.relay(round + 1)]
      const own = async (relay: Relay): Promise<OutgoingJob[]> => {
        const jobs: OutgoingJob[] = []
        let session: Session | null = null
        for (let i = 0; i < 4; i++) {
          session ??= await greet(relay, gatewayId, 1, 0)
          if (session === null) continue
          const claimed = await claim(relay, session)
          if (claimed === null) session = null
          else jobs.push(...claimed)
          await insertJobs(1)
        }
        return jobs
      }
      await insertJobs(4)
      const results = await atOnce(
        () => own(one),
        () => own(other),
      )
      const given = results.flatMap((result) => resultOf(result) ?? [])
      const newest = await greet(other, gatewayId, 1, 0)
      return [
        ...failures(results),
        ...when(new Set(given.map(({ seq }) => seq)).size !== given.length, 'a number was given twice'),
        ...when(new Set(given.map(({ jobId }) => jobId)).size !== given.length, 'a job was given twice'),
        ...(await wrongWith(other, newest, gatewayId)),
        ...(await emptied(other, newest)),
      ]
    })
  })
})

/** Nothing waits for the next round's gateway. */
async function emptied(relay: Relay, session: Session | null): Promise<string[]> {
  const [result] = await atOnce(async () => {
    if (session !== null) while (((await claim(relay, session)) ?? []).length > 0);
    await relays.db.unit((tx) => tx.deleteFrom('dispatches').where('state', '=', 'queued').execute())
  })
  return failures([result])
}
