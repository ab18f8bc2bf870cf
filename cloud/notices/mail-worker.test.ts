// The outbox of notices without a network: which relay sends what, when a relay is killed, and what is kept where no mail server is set up.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MessageAttempt, MessageOutcome } from '#cloud/outbox/message-worker.ts'
import { ADDRESS, CODE, CODE_NOTICE, NoticeDesk, TEST_NOTICE } from '#test/fixtures/notice-desk.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'

const SENT: MessageOutcome = { kind: 'sent' }
let desk: NoticeDesk
beforeEach(async () => {
  desk = await NoticeDesk.open()
})
afterEach(() => desk.close())

/** Records what it was given; answers as set by the test, once `begin` was allowed. */
class ScriptedMail implements MailTransport {
  readonly given: OutgoingMail[] = []
  answer: (mail: OutgoingMail, attempt: MessageAttempt) => Promise<MessageOutcome> = async () => SENT

  async send(mail: OutgoingMail, attempt: MessageAttempt): Promise<MessageOutcome> {
    if (!(await attempt.begin())) return { kind: 'lost' }
    this.given.push(mail)
    return this.answer(mail, attempt)
  }
}

const states = () => desk.states()

describe('without a mail server', () => {
  it('a notice is kept to be read, and does not leave when a server is set up later', async () => {
    const keeping = desk.worker(null)
    await keeping.start()
    await desk.write()
    await expect.poll(states).toEqual(['kept'])
    const [row] = await desk.rows()
    expect(JSON.parse(desk.secretBox.open(row?.text_enc ?? ''))).toMatchObject({ text: expect.stringContaining(CODE) })
    await keeping.stop()
    const mail = new ScriptedMail()
    await desk.worker(mail).start()
    await desk.write(TEST_NOTICE)
    await expect.poll(states).toEqual(['kept', 'sent'])
    expect(mail.given.map(({ subject }) => subject)).toEqual(['Test mail of Ticketrail'])
  })
})

describe('a notice', () => {
  it('that ends soon leaves before those that have days', async () => {
    const mail = new ScriptedMail()
    for (let n = 0; n < 12; n++) await desk.write(TEST_NOTICE, `late-${n}@example.com`)
    await desk.clock.advance(1)
    await desk.write(CODE_NOTICE, ADDRESS)
    await desk.worker(mail).start()
    await expect.poll(() => mail.given.length).toBe(13)
    expect(mail.given.findIndex(({ to }) => to === ADDRESS)).toBeLessThan(4)
  })

  it('is never sent after its expiry, even without an attempt', async () => {
    const mail = new ScriptedMail()
    await desk.write()
    await desk.clock.advance(15 * 60_000)
    await desk.worker(mail).start()
    await expect.poll(states).toEqual(['dropped too_late'])
    expect(mail.given).toEqual([])
  })

  it('that was being sent when the relay was killed is uncertain, and is not sent again', async () => {
    const mail = new ScriptedMail()
    // Its answer comes only when the test is over.
    const over = Promise.withResolvers<MessageOutcome>()
    mail.answer = () => over.promise
    await desk.worker(mail).start()
    await desk.write()
    await expect.poll(states).toEqual(['sending'])
    const after = new ScriptedMail()
    await desk.notices.release((await desk.rows()).map(({ id }) => id))
    await desk.worker(after).start()
    await expect.poll(states).toEqual(['uncertain interrupted'])
    expect(after.given).toEqual([])
    over.resolve({ kind: 'lost' })
  })

  it('whose relay was suspended until its lease expired is sent by the next alone', async () => {
    const slow = Promise.withResolvers<void>()
    const [first, second] = [new ScriptedMail(), new ScriptedMail()]
    const begun = Promise.withResolvers<void>()
    const standing: MailTransport = {
      send: async (mail, attempt) => {
        begun.resolve()
        await slow.promise
        return first.send(mail, attempt)
      },
    }
    await desk.worker(standing).start()
    await desk.write()
    await begun.promise
    const [row] = await desk.rows()
    await desk.clock.advance((row?.lease_until ?? 0) - desk.clock.now())
    await desk.worker(second, await desk.second()).start()
    await expect.poll(states).toEqual(['sent'])
    slow.resolve()
    await desk.write(TEST_NOTICE)
    await expect.poll(states).toEqual(['sent', 'sent'])
    expect(
      [...first.given, ...second.given].filter(({ to, subject }) => to === ADDRESS && subject.includes('code')),
    ).toHaveLength(1)
  })

  it('that is being sent when the relay is stopped is not released', async () => {
    const mail = new ScriptedMail()
    mail.answer = (_, { stopped }) =>
      new Promise((resolve) => {
        stopped.addEventListener('abort', () => resolve({ kind: 'uncertain', error: 'interrupted' }))
      })
    const worker = desk.worker(mail)
    await worker.start()
    await desk.write()
    await expect.poll(states).toEqual(['sending'])
    const stopped = worker.stop()
    await desk.clock.advance(5_000)
    await stopped
    expect(await states()).toEqual(['uncertain interrupted'])
  })

  it('that cannot be read, because the master key is another one, fails', async () => {
    await desk.write()
    await desk.db.unit((tx) => tx.updateTable('notices').set({ to_enc: 'AAAA' }).execute())
    await desk.worker(new ScriptedMail()).start()
    await expect.poll(states).toEqual(['failed not_readable'])
  })
})

it('a mail server gets four at a time', async () => {
  const mail = new ScriptedMail()
  const waiting: (() => void)[] = []
  mail.answer = () => new Promise((resolve) => waiting.push(() => resolve(SENT)))
  for (let n = 0; n < 9; n++) await desk.write()
  await desk.worker(mail).start()
  await expect.poll(() => waiting.length).toBe(4)
  for (const done of waiting.splice(0)) done()
  await expect.poll(() => waiting.length).toBe(4)
  for (const done of waiting.splice(0)) done()
  await expect.poll(() => waiting.length).toBe(1)
  for (const done of waiting.splice(0)) done()
  await expect.poll(states).toEqual(Array.from({ length: 9 }, () => 'sent'))
})
