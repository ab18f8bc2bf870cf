// Mail as the account sees it, and as operators see it.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MailWorker } from '#cloud/notices/mail-worker.ts'
import type { Notice } from '#cloud/notices/notice-kinds.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import { AccountDesk } from '#test/fixtures/account-desk.ts'
import { CODE, CODE_NOTICE } from '#test/fixtures/notice-desk.ts'

const KEY: Notice = {
  kind: 'key',
  values: {
    deed: 'made',
    environment: 'live',
    name: 'Shop',
    endsWith: 'x7y8',
    accountName: 'Bistro',
    by: 'Ana',
    atMs: 0,
  },
}
let desk: AccountDesk
let accountId: AccountId
beforeEach(async () => {
  desk = await AccountDesk.open()
  accountId = (await desk.restaurant('bistro')).accountId
})
afterEach(() => desk.close())

function box(): SecretBox {
  const { secretBox } = desk.context
  if (secretBox === null) throw new Error('the desk has a secret box')
  return secretBox
}

const write = (notice: Notice, of: AccountId | null, to = 'ana@bistro.test') =>
  desk.context.db.unit((tx) =>
    writeNotice(tx, { secretBox: box(), clock: desk.clock }, { to, language: 'en', accountId: of, notice }),
  )
/** As a relay without a mail server does. */
async function keepAll(): Promise<void> {
  await desk.context.db.unit((tx) => desk.context.notices.keep(tx, desk.clock.now()))
}

test('the account sees its own mail without its text; a manager may read the list, staff may not', async () => {
  await write(KEY, accountId)
  await write(KEY, (await desk.restaurant('other')).accountId)
  await write(CODE_NOTICE, null)
  const list = await desk.perform(desk.person('manager', accountId), 'notices.list')
  expect(list).toMatchObject([
    { kind: 'key', to: 'ana@bistro.test', subject: 'A live key of Bistro was made', state: 'queued' },
  ])
  await expect(desk.perform(desk.person('staff', accountId), 'notices.list')).rejects.toMatchObject({
    kind: 'forbidden',
  })
})

test('only operators see the outbox, without the text of any mail in it', async () => {
  await write(CODE_NOTICE, null)
  await keepAll()
  await desk.clock.advance(1)
  await write(CODE_NOTICE, null)
  const outbox = await desk.perform(desk.operator(), 'op.outbox')
  expect(outbox).toMatchObject({
    sendsMail: false,
    mail: { queued: 1, kept: 1, sent: 0 },
    mailWaitsSince: new Date(desk.clock.now()).toISOString(),
    texts: { queued: 0, uncertain: 0 },
    textsWaitSince: null,
    notices: [
      { state: 'queued', text: null },
      { state: 'kept', text: null },
    ],
  })
  expect((await desk.perform(desk.operator(), 'op.outbox', { state: 'kept' })).notices).toHaveLength(1)
  await expect(desk.perform(desk.person('owner', accountId), 'op.outbox')).rejects.toMatchObject({ kind: 'forbidden' })
})

test('a kept mail is read by an operator with a confirmed identity, and the audit log records that', async () => {
  const asRead = (asker = desk.operator()) => desk.perform(asker, 'op.read-mail', { noticeId })
  await write(CODE_NOTICE, accountId)
  const [listed] = (await desk.perform(desk.operator(), 'op.outbox')).notices
  const noticeId = listed!.noticeId
  await expect(asRead()).rejects.toMatchObject({ kind: 'refused', said: { key: 'mail.not-kept' } })
  await keepAll()
  await expect(asRead({ ...desk.operator(), elevatedUntilMs: null })).rejects.toMatchObject({ kind: 'elevate' })
  await expect(asRead(desk.person('owner', accountId))).rejects.toMatchObject({ kind: 'forbidden' })
  const asked = JSON.stringify(await desk.perform({ ...desk.operator(), elevatedUntilMs: null }, 'op.outbox'))
  expect(asked).not.toContain(CODE)
  expect(await asRead()).toMatchObject({ noticeId, to: 'ana@bistro.test', text: expect.stringContaining(CODE) })
  const [line] = await desk.context.audit.list(accountId, 1)
  expect(line).toMatchObject({ action: 'mail.read', subject: noticeId })
  expect(JSON.stringify(line)).not.toContain(CODE)
})

test('a mail that was deleted, or encrypted under another master key, is not read, and the answer gives the reason', async () => {
  const gone = { noticeId: newId('ntc', 0) }
  expect((await desk.refusal(desk.operator(), 'op.read-mail', gone)).said?.key).toBe('mail.unknown')
  await write(CODE_NOTICE, null)
  await keepAll()
  await desk.context.db.unit((tx) => tx.updateTable('notices').set({ text_enc: 'AAAA' }).execute())
  const [{ noticeId } = gone] = (await desk.perform(desk.operator(), 'op.outbox')).notices
  expect((await desk.refusal(desk.operator(), 'op.read-mail', { noticeId })).said?.key).toBe('mail.sealed')
})

test('mail that was encrypted under another master key is listed without its contents', async () => {
  await write(CODE_NOTICE, null)
  await desk.context.db.unit((tx) => tx.updateTable('notices').set({ text_enc: 'AAAA' }).execute())
  const { notices } = await desk.perform(desk.operator(), 'op.outbox')
  expect(notices).toMatchObject([{ to: null, subject: null, text: null, state: 'queued' }])
})

test('a test mail is written at once, and the sender is woken', async () => {
  const sent: string[] = []
  const { notices, db } = desk.context
  const mail = {
    send: async (given: { to: string }, { begin }: { begin: () => Promise<boolean> }) => {
      await begin()
      sent.push(given.to)
      return { kind: 'sent' as const }
    },
  }
  const { log } = desk.api.stores
  const worker = new MailWorker({ db, notices, mail, secretBox: box(), clock: desk.clock, log, random: () => 0 })
  await worker.start()
  await desk.perform(desk.operator(), 'op.test-mail', { to: 'op@relay.test' })
  // The clock is stopped: only the wake-up can have caused it.
  await expect.poll(() => sent).toEqual(['op@relay.test'])
  await worker.stop()
  await expect(
    desk.perform(desk.operator(), 'op.test-mail', { to: 'op@relay.test\r\nBcc: x@y.test' }),
  ).rejects.toMatchObject({
    kind: 'invalid',
  })
})
