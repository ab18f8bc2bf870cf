// Mail by a real SMTP server on loopback: what arrives, what is tried again, and what is never sent twice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailServer, type MailServerOptions, trustMailServer } from '#test/doubles/mail-server.ts'
import { ADDRESS, CODE, NoticeDesk, TEST_NOTICE } from '#test/fixtures/notice-desk.ts'
import { writeNotice } from './write-notice.ts'

const MINUTE_MS = 60_000
let desk: NoticeDesk
let server: MailServer
let distrust: () => void
beforeEach(async () => {
  distrust = trustMailServer()
  desk = await NoticeDesk.open()
  server = new MailServer()
  await server.start()
})
afterEach(async () => {
  await desk.close()
  await server.stop()
  distrust()
})

const worker = (url = server.url) => desk.worker(desk.smtp(url))
const states = () => desk.states()

/** Hour by hour: on PostgreSQL each of the 43,200 looks of a day would cost a round trip to the server. */
async function aDayPasses(): Promise<void> {
  for (let hour = 0; hour < 24; hour++) await desk.clock.pass(60 * MINUTE_MS)
}

/** Replaces the previous server. */
async function serve(options: MailServerOptions): Promise<void> {
  await server.stop()
  server = new MailServer(options)
  await server.start()
}

describe('a notice', () => {
  it('arrives whole: text and HTML, under its own id, and no machine answers it', async () => {
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['sent'])
    const [mail] = server.taken
    const [row] = await desk.rows()
    expect(mail).toMatchObject({ from: 'mail@ticketrail.example', to: [ADDRESS], isOverTls: true })
    expect(mail?.headers.get('subject')).toBe('Your Ticketrail code')
    expect(mail?.headers.get('from')).toBe('Ticketrail <mail@ticketrail.example>')
    expect(mail?.headers.get('message-id')).toBe(`<${row?.id}@ticketrail.example>`)
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.text).toContain(`    ${CODE}\n`)
    expect(mail?.html).toContain(`>${CODE}</p>`)
  })

  it('that was written before the relay was killed is sent after the next start', async () => {
    await desk.write()
    await worker().start()
    await expect.poll(states).toEqual(['sent'])
  })

  it('is in the outbox only if its subject is committed', async () => {
    const failing = desk.db.unit(async (tx) => {
      await writeNotice(tx, desk, { to: ADDRESS, language: 'en', accountId: null, notice: TEST_NOTICE })
      throw new Error('the fact was not written')
    })
    await expect(failing).rejects.toThrow('the fact was not written')
    expect(await desk.rows()).toEqual([])
  })
})

describe('the mail server', () => {
  it('is signed in to, over STARTTLS', async () => {
    await serve({ user: { name: 'relay@example.com', password: 'p@ss:word/1' } })
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['sent'])
    expect(server.taken[0]).toMatchObject({ user: 'relay@example.com', isOverTls: true })
  })

  it('is spoken to over TLS from the first byte at smtps', async () => {
    await serve({ isSecure: true })
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['sent'])
    expect(server.taken[0]?.isOverTls).toBe(true)
  })

  it('gets neither mail nor password when its certificate is not trusted', async () => {
    await serve({ user: { name: 'relay', password: 'secret' } })
    distrust()
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['queued tls'])
    expect(server.taken).toEqual([])
  })

  it('that refuses the sign-in gets the mail later: it is the settings that are wrong', async () => {
    await serve({ user: { name: 'relay', password: 'right' } })
    await worker(server.url.replace('right', 'wrong')).start()
    await desk.write()
    await expect.poll(states).toEqual(['queued smtp_535'])
  })

  it('that is away is tried again after 1, 5, 30 minutes, and what is then too late is dropped', async () => {
    const { url } = server
    await server.stop()
    await desk.write()
    await desk.write(TEST_NOTICE)
    await worker(url).start()
    await expect.poll(states).toEqual(['queued connection', 'queued connection'])
    const due = async () => (await desk.rows()).map(({ next_at }) => next_at)
    const first = desk.clock.now()
    expect(await due()).toEqual([first + MINUTE_MS, first + MINUTE_MS])
    await desk.clock.advance(MINUTE_MS)
    await expect.poll(due).toEqual([first + 6 * MINUTE_MS, first + 6 * MINUTE_MS])
    // The code counts for 15 minutes, the test mail for 60.
    await desk.clock.advance(5 * MINUTE_MS)
    await expect.poll(states).toEqual(['dropped connection', 'queued connection'])
    expect(await due()).toEqual([null, first + 36 * MINUTE_MS])
    await desk.clock.advance(30 * MINUTE_MS)
    await expect.poll(states).toEqual(['dropped connection', 'dropped connection'])
  })

  it('that answers 4xx is retried, at every step', async () => {
    await worker().start()
    for (const at of ['greeting', 'sender', 'recipient', 'text'] as const) {
      server.answerNext({ kind: 'refuses', code: 451, at })
      await desk.write()
      await expect.poll(async () => (await states()).at(-1)).toBe('queued smtp_451')
      await desk.clock.advance(MINUTE_MS)
      await expect.poll(async () => (await states()).at(-1)).toBe('sent')
    }
    expect(server.taken).toHaveLength(4)
  })

  it.each(['sender', 'recipient', 'text'] as const)('that answers 5xx to the %s is not retried', async (at) => {
    server.answerNext({ kind: 'refuses', code: 550, at })
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['failed smtp_550'])
    await aDayPasses()
    expect(server.connections).toBe(1)
  })

  it.each([
    ['the connection ends', 'cuts', 'connection'],
    ['nothing is answered', 'hangs', 'timeout'],
  ] as const)(
    'may have the mail when %s after the text: it is uncertain and never sent again',
    async (_, kind, error) => {
      server.answerNext(kind === 'cuts' ? { kind, at: 'text' } : { kind })
      await worker().start()
      await desk.write()
      await expect.poll(() => server.texts).toBe(1)
      if (kind === 'hangs') await desk.clock.advance(MINUTE_MS)
      await expect.poll(states).toEqual([`uncertain ${error}`])
      await aDayPasses()
      expect(server.connections).toBe(1)
    },
  )

  it('that cuts the connection before the text gets the mail again', async () => {
    server.answerNext({ kind: 'cuts', at: 'recipient' })
    await worker().start()
    await desk.write()
    await expect.poll(states).toEqual(['queued connection'])
    await desk.clock.advance(MINUTE_MS)
    await expect.poll(states).toEqual(['sent'])
    expect(server.texts).toBe(1)
  })
})

describe('the log', () => {
  it('shows no address, no code and no password, whatever happens', async () => {
    const password = 'canary-password'
    await serve({ user: { name: 'canary-user', password } })
    await worker().start()
    server.answerNext({ kind: 'takes' }, { kind: 'refuses', code: 550, at: 'recipient' }, { kind: 'cuts', at: 'text' })
    for (let n = 0; n < 3; n++) {
      await desk.write()
      await expect
        .poll(async () => (await states()).every((state) => state !== 'queued' && state !== 'sending'))
        .toBe(true)
    }
    expect(await states()).toEqual(['sent', 'failed smtp_550', 'uncertain connection'])
    const lines = desk.logLines.join('')
    expect(lines).toContain('a notice was sent')
    for (const secret of [ADDRESS, 'ana.lopez', CODE, password, 'canary-user']) expect(lines).not.toContain(secret)
  })

  it('neither does the database show an address or a code', async () => {
    await desk.write()
    const text = JSON.stringify(await desk.rows())
    for (const secret of [ADDRESS, 'ana.lopez', CODE]) expect(text).not.toContain(secret)
  })
})
