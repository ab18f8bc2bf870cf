// A POST with an Idempotency-Key over HTTP: done once, answered alike as often as it is asked, and never kept when it was refused.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Effect } from '#cloud/storage/effect.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { ServiceError } from '#shared/errors.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { COUNTS, ofOneRun } from '#test/harness/units-twice.ts'
import { type AnswerOptions, answerOnce } from './idempotency.ts'

type Note = { number: number; text: string }

let api: RelayApi
let clock: ManualClock
let done: string[]
let woken: number
/** What the next call does besides storing the note. */
let effect: Partial<Effect<Note>>
let refuse: ServiceError | null

beforeEach(async () => {
  clock = new ManualClock()
  done = []
  woken = 0
  effect = {}
  refuse = null
  api = await RelayApi.open({
    clock,
    routes: (app, { db }) => {
      const deps = { db, idempotency: new IdempotencyStore(db), secretBox: new SecretBox(Buffer.alloc(32, 1)), clock }
      const body = z.strictObject({ text: z.string(), bold: z.boolean().default(false) })
      const response = { 200: z.object({ number: z.number(), text: z.string() }) }
      for (const url of ['/notes', '/secrets']) {
        const options: AnswerOptions<{ number: number; text: string }> =
          url === '/notes'
            ? { status: 201, headers: (note) => ({ location: `/note/${note.number}` }) }
            : { secret: true }
        app.route({
          method: 'POST',
          url,
          config: { access: 'any-key' },
          schema: { body, response: { ...response, 201: response[200] } },
          handler: async (request, reply) =>
            answerOnce(
              deps,
              async (tx) => {
                await tx
                  .insertInto('audit_log')
                  .values({ at: 1, actor: 'test', account_id: null, action: 'note', subject: request.body.text })
                  .execute()
                if (refuse) throw refuse
                done.push(request.body.text)
                return { answer: { number: done.length, text: request.body.text }, wake: () => woken++, ...effect }
              },
              { request, reply, ...options },
            ),
        })
      }
    },
  })
})
afterEach(() => api.close())

const post = (body: object, key?: string, url = '/notes') =>
  api.call('POST', url, { body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) })
const rowsOf = async (table: 'audit_log' | 'idempotency') =>
  (await api.db.read.selectFrom(table).selectAll().execute()).length

describe('answerOnce', () => {
  ofOneRun(COUNTS)('does it each time when there is no key', async () => {
    await post({ text: 'a' })
    const second = await post({ text: 'a' })
    expect([second.status, second.body.number, second.headers['location'], woken]).toEqual([201, 2, '/note/2', 2])
    expect(second.headers['idempotent-replayed']).toBeUndefined()
  })

  ofOneRun(COUNTS)('does it once under a key, and answers with the same text, status and Location again', async () => {
    const first = await post({ text: 'a' }, 'k-1')
    const second = await post({ bold: false, text: 'a' }, 'k-1')
    expect([second.status, second.text, second.headers['location']]).toEqual([201, first.text, '/note/1'])
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect([done.length, woken, await rowsOf('audit_log')]).toEqual([1, 1, 1])
    expect(second.headers['cache-control']).toBe('no-store')
  })

  it('runs once when fifty calls arrive at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ text: 'a' }, 'k-1')))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await rowsOf('audit_log')).toBe(1)
  })

  ofOneRun(COUNTS)('refuses another body under a used key, and does nothing', async () => {
    await post({ text: 'a' }, 'k-1')
    const other = await post({ text: 'b' }, 'k-1')
    expect([other.status, other.body.code]).toEqual([409, 'request.idempotency_mismatch'])
    expect(done).toEqual(['a'])
  })

  ofOneRun(COUNTS)('takes the same key at another path, or of another account, as a new one', async () => {
    await post({ text: 'a' }, 'k-1')
    const elsewhere = await post({ text: 'a' }, 'k-1', '/secrets')
    expect([elsewhere.status, elsewhere.body.number]).toEqual([200, 2])
  })

  it('does not keep a refusal: the same key may succeed later', async () => {
    refuse = new ServiceError('order.not_found')
    expect((await post({ text: 'a' }, 'k-1')).status).toBe(404)
    expect([await rowsOf('audit_log'), await rowsOf('idempotency')]).toEqual([0, 0])
    refuse = null
    expect((await post({ text: 'a' }, 'k-1')).status).toBe(201)
  })

  ofOneRun(COUNTS)('answers a stored effect with its refusal, and its repetition with the answer', async () => {
    effect = { refusal: new ServiceError('printer.offline') }
    const first = await post({ text: 'a' }, 'k-1', '/secrets')
    expect([first.status, first.body.code, woken]).toEqual([503, 'printer.offline', 1])
    const second = await post({ text: 'a' }, 'k-1', '/secrets')
    expect([second.status, second.body, second.headers['idempotent-replayed']]).toEqual([
      200,
      { number: 1, text: 'a' },
      'true',
    ])
  })

  it('keeps an answer with a secret sealed', async () => {
    const first = await post({ text: 'whsec_abc' }, 'k-1', '/secrets')
    const [row] = await api.db.read.selectFrom('idempotency').selectAll().execute()
    expect(row?.response).not.toContain('whsec_abc')
    expect((await post({ text: 'whsec_abc' }, 'k-1', '/secrets')).text).toBe(first.text)
  })

  it.each([['a b'], ['x'.repeat(256)], ['ü']])('refuses the key %j and names the header', async (key) => {
    const answer = await post({ text: 'a' }, key)
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'request.invalid',
      'Idempotency-Key',
    ])
  })

  it('forgets a key after 24 hours', async () => {
    await post({ text: 'a' }, 'k-1')
    await clock.advance(24 * 3_600_000)
    expect((await post({ text: 'b' }, 'k-1')).status).toBe(201)
    expect(await rowsOf('idempotency')).toBe(1)
  })
})
