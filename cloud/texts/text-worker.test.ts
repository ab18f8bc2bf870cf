// The outbox of text messages without a network: each is sent once, or known not to be, whatever the telephone company and the relay do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SentText, TelephonyError } from '#cloud/telephony/telephony.ts'
import { FROM, PHONE, ScriptedPhone, TextDesk } from '#test/fixtures/text-desk.ts'
import { numberMac, writeText } from './write-text.ts'

const MINUTE_MS = 60_000
let desk: TextDesk
let phone: ScriptedPhone
beforeEach(async () => {
  desk = await TextDesk.open()
  phone = new ScriptedPhone()
})
afterEach(() => desk.close())

const states = () => desk.states()
const NONE = { queued: 0, sending: 0 }
/** When the power goes. */
const MOMENTS = ['before it is marked', 'before the first byte', 'before the answer', 'before it is written down']

/** A message that a relay was sending when it ended. */
async function interrupted(text = 'Order 41'): Promise<void> {
  await desk.clock.advance(1)
  await desk.db.unit(async (tx) => {
    const nowMs = desk.clock.now()
    const of = { merchant: desk.merchant, kind: 'test', to: PHONE, text } as const
    await writeText(tx, desk, { ...of, subjectId: `t_${nowMs}`, expiresAtMs: nowMs + 30 * MINUTE_MS })
    await tx.updateTable('text_messages').set({ state: 'sending', attempts: 1 }).where('state', '=', 'queued').execute()
  })
  desk.texts.changed.notify()
}

async function hoursPass(): Promise<void> {
  for (let n = 0; n < 6; n++) await desk.clock.pass(30 * MINUTE_MS)
}

describe('a text message', () => {
  it('leaves from the number of the merchant, and the company says where its news go', async () => {
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['sent'])
    const [row] = await desk.rows()
    expect(phone.given).toEqual([
      {
        ...{ id: row?.id, from: FROM, to: PHONE, text: 'Voicemail 1' },
        statusUrl: `https://relay.example/hooks/num_1/sms?text=${row?.id}`,
      },
    ])
    expect(row).toMatchObject({ provider_id: `SM-${row?.id}`, attempts: 1, next_at: null, lease_until: null })
  })

  it('is there once for a kind and subject', async () => {
    expect([await desk.write({ subjectId: 'vm_x' }), await desk.write({ subjectId: 'vm_x' })]).toEqual([true, false])
    expect(await states()).toEqual(['queued'])
  })

  it('is kept where telephony is simulated, and does not leave when it no longer is', async () => {
    const keeping = desk.worker({ provider: 'simulator' })
    await keeping.start()
    await desk.write()
    await expect.poll(states).toEqual(['kept'])
    await keeping.stop()
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(async () => (await states()).toSorted()).toEqual(['kept', 'sent'])
    expect(phone.given).toHaveLength(1)
  })

  it('waits for a number of the merchant, and is dropped when it is too late', async () => {
    await desk.db.unit((tx) => tx.updateTable('phone_numbers').set({ state: 'wiring' }).execute())
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['queued no_number'])
    await hoursPass()
    await expect.poll(states).toEqual(['dropped no_number'])
    expect(phone.given).toEqual([])
  })

  it('that cannot be read, because the master key is another one, fails', async () => {
    await desk.write()
    await desk.db.unit((tx) => tx.updateTable('text_messages').set({ to_enc: 'AAAA' }).execute())
    await desk.worker(phone).start()
    await expect.poll(states).toEqual(['failed not_readable'])
  })

  it('is not sent to a number that wrote STOP after it was queued', async () => {
    await desk.write()
    const optout = { merchant_id: desk.merchant.key, to_mac: numberMac(desk.secretBox, PHONE), tail: '2671' }
    await desk.db.unit((tx) => desk.texts.optOut(tx, { ...optout, source: 'word', created_at: 0 }))
    await desk.worker(phone).start()
    await expect.poll(states).toEqual(['dropped opted_out'])
    expect(phone.given).toEqual([])
  })
})

describe('the telephone company', () => {
  it('that hangs is asked whether the message left: then it was sent', async () => {
    phone.answer = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new TelephonyError('timeout', { isUncertain: true })))
      })
    phone.found = async () => ['SM-found']
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(() => phone.given.length).toBe(1)
    await desk.clock.advance(20_000)
    await expect.poll(states).toEqual(['sent'])
    expect((await desk.rows())[0]?.provider_id).toBe('SM-found')
    expect(phone.looked).toEqual([PHONE])
  })

  it.each<[string, ScriptedPhone['found']]>([
    ['does not know it', async () => []],
    ['does not answer that either', () => Promise.reject(new TelephonyError('timeout', { isTransient: true }))],
  ])('whose answer is lost, and that %s, is uncertain: the message is never sent again', async (_, found) => {
    phone.answer = () => Promise.reject(new TelephonyError('connection', { isUncertain: true }))
    phone.found = found
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['uncertain connection'])
    await hoursPass()
    expect(phone.given).toHaveLength(1)
  })

  it('that fails in a way nobody foresaw is uncertain too', async () => {
    phone.answer = () => Promise.reject(new TypeError('+14155552671 is in this text'))
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['uncertain connection'])
  })

  it('that says "later" gets it after 15 seconds and a minute', async () => {
    phone.answer = () => Promise.reject(new TelephonyError('http_503', { isTransient: true }))
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['queued http_503'])
    // What is due is looked for every other second.
    await desk.clock.advance(16_000)
    await expect.poll(() => phone.given.length).toBe(2)
    await expect.poll(states).toEqual(['queued http_503'])
    phone.answer = async () => ({ providerId: 'SM2' })
    await desk.clock.advance(MINUTE_MS)
    await expect.poll(states).toEqual(['sent'])
  })

  it('that refuses it for good is not asked again', async () => {
    phone.answer = () => Promise.reject(new TelephonyError('twilio_21211'))
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['failed twilio_21211'])
    await hoursPass()
    expect(phone.given).toHaveLength(1)
  })

  it('that says that the number wants none is believed from then on', async () => {
    phone.answer = () => Promise.reject(new TelephonyError('twilio_21610'))
    await desk.worker(phone).start()
    await desk.write()
    await expect.poll(states).toEqual(['dropped opted_out'])
    expect(await desk.texts.optouts(desk.merchant.key, 10)).toMatchObject([{ tail: '2671', source: 'provider' }])
    await desk.write()
    expect(await states()).toEqual(['dropped opted_out', 'dropped opted_out'])
    expect(phone.given).toHaveLength(1)
  })
})

describe('a relay', () => {
  it('that is killed at any moment, 300 times, loses no message and sends none twice', async () => {
    /** How often the company got each, by its words. */
    const company = new Map<string, number>()
    const take = (text: string): { providerId: string } => {
      company.set(text, (company.get(text) ?? 0) + 1)
      return { providerId: `SM-${text}` }
    }
    phone.answer = async ({ text }) => take(text)
    phone.found = async ({ text }) => (company.has(text) ? [`SM-${text}`] : [])
    const after = desk.worker(phone)
    for (let n = 0; n < 300; n++) {
      const moment = MOMENTS[n % MOMENTS.length]
      const { relay, die, died } = desk.mortal()
      const dying = new ScriptedPhone()
      dying.sendText = async ({ text }, { begin }): Promise<SentText> => {
        if (moment === 'before it is marked') return die()
        await begin()
        if (moment === 'before the first byte') return die()
        const taken = take(text)
        if (moment === 'before the answer') return die()
        // What comes now cannot be written down any more.
        void die()
        return taken
      }
      await desk.write({ kind: 'test', subjectId: `t_${n}`, to: `+1415555${1_000 + n}`, text: `Text ${n}` })
      await desk.worker(dying, relay, true).start()
      await died
      await after.start()
      await expect
        .poll(async () => (await desk.texts.figures(['queued', 'sending'])).states, { interval: 1 })
        .toEqual(NONE)
      await after.stop()
    }
    const rows = await desk.rows()
    expect(rows).toHaveLength(300)
    expect(Math.max(...company.values())).toBe(1)
    for (const { subject_id, state, error, provider_id } of rows) {
      const text = subject_id.replace('t_', 'Text ')
      expect([text, state, error, provider_id]).toEqual(
        company.has(text) ? [text, 'sent', null, `SM-${text}`] : [text, 'uncertain', 'interrupted', null],
      )
    }
    // Of each four, one was marked and had not left.
    expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(225)
  })

  it('that finds one that another was sending asks the company until it answers, and sends nothing', async () => {
    await interrupted()
    phone.found = () => Promise.reject(new TelephonyError('connection', { isTransient: true }))
    await desk.worker(phone).start()
    await expect.poll(states).toEqual(['sending connection'])
    phone.found = async () => ['SM-late']
    await desk.clock.advance(6 * MINUTE_MS)
    await expect.poll(states).toEqual(['sent'])
    expect([phone.given.length, (await desk.rows())[0]?.provider_id]).toEqual([0, 'SM-late'])
  })

  it('asks no longer than the message is of use, and not at all where nobody can tell', async () => {
    await interrupted()
    phone.found = () => Promise.reject(new TelephonyError('connection', { isTransient: true }))
    const worker = desk.worker(phone)
    await worker.start()
    await hoursPass()
    await expect.poll(states).toEqual(['uncertain interrupted'])
    await interrupted()
    phone.found = () => Promise.reject(new TelephonyError('not_supported'))
    await expect.poll(states).toEqual(['uncertain interrupted', 'uncertain interrupted'])
    expect(phone.given).toEqual([])
  })

  it('takes no other message with the same words for the one that it looks for', async () => {
    await desk.worker(phone).start()
    await desk.write({ text: 'Order 41' })
    await expect.poll(states).toEqual(['sent'])
    const [{ provider_id: other } = { provider_id: null }] = await desk.rows()
    phone.found = async () => [other ?? '']
    await interrupted()
    await expect.poll(states).toEqual(['sent', 'uncertain interrupted'])
    phone.found = async () => [other ?? '', 'SM-own']
    await interrupted()
    await expect.poll(states).toEqual(['sent', 'uncertain interrupted', 'sent'])
  })

  it('beside another one sends each message once', async () => {
    const [second, other] = [await desk.second(), new ScriptedPhone()]
    for (let n = 0; n < 40; n++) await desk.write({ kind: 'test', subjectId: `t_${n}`, to: `+1415555${1_000 + n}` })
    await Promise.all([desk.worker(phone).start(), desk.worker(other, second).start()])
    await expect.poll(async () => (await desk.texts.figures(['sent'])).states).toEqual({ sent: 40 })
    const ids = [...phone.given, ...other.given].map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  })
})

describe('the log', () => {
  it('shows no number and no text, whatever happens', async () => {
    await desk.worker(phone).start()
    const answers = [
      () => Promise.resolve({ providerId: 'SM1' }),
      () => Promise.reject(new TelephonyError('twilio_21211')),
      () => Promise.reject(new TypeError(`no way to ${PHONE}`)),
    ]
    for (const answer of answers) {
      phone.answer = answer
      await desk.write({ text: 'canary words' })
      await expect.poll(async () => (await desk.texts.figures(['queued', 'sending'])).states).toEqual(NONE)
    }
    const lines = desk.logLines.join('')
    expect(lines).toContain('a text message was not sent')
    const stored = JSON.stringify(await desk.rows())
    for (const secret of [PHONE, '4155552671', 'canary']) expect([lines, stored].join('')).not.toContain(secret)
  })
})
