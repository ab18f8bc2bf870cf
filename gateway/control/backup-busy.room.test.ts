// One backup at a time: what each takes of memory and work must not add up, and a crowd that signs in goes first.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Passwords, scryptKey } from '#shared/pages/passwords.ts'
import { BoxServer, type PageBrowser } from '#test/doubles/box-server.ts'
import { GRILL } from '#test/doubles/gateway-core.ts'

const PASSPHRASE = 'seven onions under the stairs'
const CHEAP = { N: 16, r: 1, p: 1 }
const ACTS = ['backup.make', 'backup.preview', 'backup.restore'] as const
const BUSY = { kind: 'refused', message: expect.stringContaining('try again'), said: { key: 'backup.busy' } }

let box: BoxServer
let page: PageBrowser
let file: { base64: string; passphrase: string }
/** Keys are made only after it. */
let gate: Promise<void>
beforeEach(async () => {
  gate = Promise.resolve()
  const passwords = new Passwords(CHEAP, async (question) => {
    await gate
    return await scryptKey(question)
  })
  box = new BoxServer({ printers: [GRILL], passwords })
  await box.start()
  page = await box.signedIn('technician')
  const { base64 } = (await box.control.perform(
    'backup.make',
    { passphrase: PASSPHRASE },
    { asker: 'test' },
  )) as typeof file
  file = { base64, passphrase: PASSPHRASE }
})
afterEach(() => box.stop())

function shut(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  return resolve
}

const perform = (name: (typeof ACTS)[number]) =>
  box.control.perform(name, name === 'backup.make' ? { passphrase: PASSPHRASE } : file, { asker: 'test' })

describe('while a backup is made, looked at or restored', () => {
  it.each(ACTS)('all other requests are asked to retry later (%s)', async (first) => {
    const open = shut()
    const running = perform(first)
    for (const name of ACTS) await expect(perform(name), name).rejects.toMatchObject(BUSY)
    open()
    await running
    for (const name of ACTS) expect(await perform(name), name).toBeTruthy()
  })

  it('the page gets 409', async () => {
    const open = shut()
    const running = perform('backup.preview')
    const { status, body } = await page.perform('backup.preview', file)
    expect([status, body.code, body.said]).toEqual([409, 'refused', { key: 'backup.busy' }])
    open()
    await running
    expect((await page.perform('backup.preview', file)).status).toBe(200)
  })

  it('orders are printed', async () => {
    const open = shut()
    const running = perform('backup.preview')
    const { ticketId } = (await page.perform('printers.test', { printer: 'Grill' })).body.result
    await expect.poll(async () => (await page.perform('jobs.show', { ticketId })).body.result.state).toBe('printed')
    open()
    await running
  })
})

describe('a backup', () => {
  it('that is refused gives its place back', async () => {
    const preview = (body: object) => box.control.perform('backup.preview', body, { asker: 'test' })
    await expect(preview({ ...file, passphrase: 'another one' })).rejects.toThrow('passphrase is wrong')
    await expect(preview({ base64: 'AAAA' })).rejects.toThrow('no backup')
    await expect(
      box.control.perform('backup.make', { passphrase: 'bistro bistro bistro' }, { asker: 'test' }),
    ).rejects.toMatchObject({ kind: 'invalid' })
    expect(await preview(file)).toMatchObject({ isProtected: true })
  })

  it('does not queue behind many sign-ins: it is asked to retry later, as they are', async () => {
    const open = shut()
    const crowd = Array.from({ length: 8 }, () => box.access.passwords.hash('x'))
    for (const name of ACTS) await expect(perform(name), name).rejects.toMatchObject(BUSY)
    open()
    await Promise.all(crowd)
    for (const name of ACTS) expect(await perform(name), name).toBeTruthy()
  })
})
