// Mail at the operator's command line: what was not sent, the text of what is kept, a test mail.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NoticeStore } from '#cloud/storage/notice-store.ts'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'

let desk: AdminDesk
let notices: NoticeStore
beforeEach(async () => {
  desk = await AdminDesk.open()
  notices = new NoticeStore(desk.api.db)
})
afterEach(() => desk.close())

test('a test mail without a mail server is kept, and the list shows it with its text', async () => {
  const { noticeId } = await desk.json('notices', 'test', '--to', 'you@example.com', '--language', 'es')
  await desk.api.db.unit((tx) => notices.keep(tx, desk.clock.now()))
  const { out } = await desk.run('notices', 'list')
  expect(out).toContain('No mail server is set up (CLOUD_MAIL_URL)')
  expect(out).toMatch(new RegExp(`${noticeId} .*you@example.com +kept`))
  expect(out).toContain('pidió este correo para ver si llega')
})

test('text messages are counted beside mail, by the same states', async () => {
  await desk.json('notices', 'test', '--to', 'you@example.com')
  const { out } = await desk.run('notices', 'list')
  expect(out).toMatch(/^OF +QUEUED +SENDING +SENT +FAILED +UNCERTAIN +KEPT +DROPPED *$/m)
  expect(out).toMatch(/^mail +1 +0 +0 +0 +0 +0 +0 *$/m)
  expect(out).toMatch(/^text messages +0 +0 +0 +0 +0 +0 +0 *$/m)
})

test('one state of mail is listed by its name', async () => {
  await desk.json('notices', 'test', '--to', 'you@example.com')
  expect((await desk.json('notices', 'list', '--state', 'queued')).notices).toHaveLength(1)
  expect((await desk.json('notices', 'list', '--state', 'failed')).notices).toEqual([])
  const { code, err } = await desk.run('notices', 'list', '--state', 'lost')
  expect([code, err]).toEqual([2, expect.stringContaining('--state')])
})

test('without the master key nothing is written, and the line names the setting', async () => {
  desk.secretBox = null
  expect(await desk.refused('notices', 'test', '--to', 'you@example.com')).toContain('CLOUD_MASTER_KEY')
})
