// Who has a way into the box, on its page: passwords that are refused in words, people who are changed under the own password, backups that are looked at before they are taken over.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite, PASSWORD } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const PASSPHRASE = 'seven onions under the stairs'
const site = new AdminSite()
let visitor: Visitor

beforeAll(() => site.start())
afterAll(() => site.stop())

async function looked(name: string): Promise<void> {
  expect(await keepFaces(visitor.page, `admin-${name}`, accessibilityFaults)).toEqual([])
}

/** The dialog is open, and its keyboard is in this field: what is typed goes nowhere else. */
async function focusIn(label: string): Promise<void> {
  const field = visitor.page.getByRole('dialog').getByLabel(new RegExp(`^${label}`))
  await field.waitFor()
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
}

const people = async (): Promise<string[]> =>
  ((await visitor.post('users.list', {})) as { name: string; role: string }[]).map(
    ({ name, role }) => `${name} ${role}`,
  )

it('gives the reason for a refused first password in the person’s language, and accepts a good one', async () => {
  visitor = await site.visitor('es')
  const { page } = visitor
  await page.goto(`/#setup=${await site.setupCode()}`)
  await page.getByLabel(/^Nombre/).fill('Tea')
  for (const [password, words] of [
    ['12345678', 'se adivina rápido'],
    ['tea-12345', 'contiene su nombre'],
  ] as const) {
    await page.getByLabel(/^Contraseña nueva/).fill(password)
    await page.getByLabel(/^Repita la contraseña nueva/).fill(password)
    await page.getByRole('button', { name: 'Empezar' }).click()
    await page.getByText(words).waitFor()
  }
  await looked('first-password-refused')
  await page.getByLabel(/^Contraseña nueva/).fill(PASSWORD)
  await page.getByLabel(/^Repita la contraseña nueva/).fill(PASSWORD)
  // The page loads itself anew.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Empezar' }).click()])
  await page.waitForURL('**/admin/setup/name')
  await page.evaluate(() => localStorage.setItem('ticketrail.language', 'en'))
})

it('adds a person only under the own password, which is typed again', async () => {
  const { page } = visitor
  await page.goto('/admin/users')
  await page.getByLabel(/^Name/).fill('Max')
  await page.getByLabel(/^Password/).fill('a door of my own')
  await page.getByLabel(/^Your own password/).fill('not mine')
  await page.getByRole('button', { name: 'Add person' }).click()
  await page.getByText('That is not your own password.').waitFor()
  expect(await people()).toEqual(['Tea technician'])
  await looked('people-refused')
  await page.getByLabel(/^Your own password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Add person' }).click()
  await page.getByRole('heading', { level: 2, name: 'Max' }).waitFor()
  expect(await people()).toEqual(['Max manager', 'Tea technician'])
})

it('changes a role and a password by keyboard alone, each in a dialog that asks for the own password', async () => {
  const { page } = visitor
  await visitor.pressOn(/^Change role: Max/)
  await focusIn('Role')
  await page.getByRole('dialog').getByLabel(/^Role/).selectOption('technician')
  await visitor.typeInto(/^Your own password/, PASSWORD)
  await looked('people-role')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(people).toContain('Max technician')
  await visitor.pressOn(/^Set a new password: Max/)
  await focusIn('New password')
  await visitor.typeInto(/^New password/, 'another fine mess')
  await visitor.typeInto(/^Your own password/, PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await visitor.pressOn(/^Remove person: Max/)
  await focusIn('Your own password')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const max = await site.visitor()
  await max.page.goto('/admin/')
  await max.post('session', { name: 'Max', password: 'another fine mess' })
  await max.context.close()
})

it('saves a backup that is locked', async () => {
  const { page } = visitor
  await page.goto('/admin/care')
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Save backup' }) })
  const fill = async (passphrase: string) => {
    await form.getByLabel(/^Passphrase(?! again)/).fill(passphrase)
    await form.getByLabel(/^Passphrase again/).fill(passphrase)
    await form.getByLabel(/^Your own password/).fill(PASSWORD)
  }
  await fill('kitchen-2026')
  await form.getByRole('button', { name: 'Save backup' }).click()
  await form.getByText('is too easy to guess').waitFor()
  await fill(PASSPHRASE)
  const [backup] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Save backup' }).click(),
  ])
  expect(readFileSync(await backup.path()).includes('Max')).toBe(false)
  await page.getByText(/^Saved as .*trbackup\. It holds: no printers, 2 people, no rules, no picture\.$/).waitFor()
})

it('shows what a backup would bring, and imports only the selected people', async () => {
  const { page } = visitor
  const made = (await visitor.post('backup.make', { passphrase: PASSPHRASE, ownPassword: PASSWORD })) as {
    base64: string
  }
  const users = (await visitor.post('users.list', {})) as { userId: string; name: string }[]
  const max = users.find(({ name }) => name === 'Max')
  await visitor.post('users.remove', { userId: max?.userId, ownPassword: PASSWORD })
  await page.goto('/admin/care')
  const buffer = Buffer.from(made.base64, 'base64')
  await page
    .getByLabel('Backup file')
    .setInputFiles({ name: 'friday.trbackup', mimeType: 'application/octet-stream', buffer })
  const look = page.locator('form').filter({ has: page.getByRole('button', { name: 'Show what it would bring' }) })
  await look.getByLabel(/^Passphrase/).fill('something else')
  await look.getByRole('button', { name: 'Show what it would bring' }).click()
  await look.getByText('The passphrase is wrong').waitFor()
  await look.getByLabel(/^Passphrase/).fill(PASSPHRASE)
  await look.getByRole('button', { name: 'Show what it would bring' }).click()
  const act = page.locator('form').filter({ has: page.getByRole('button', { name: 'Restore', exact: true }) })
  const ticked = act.getByRole('checkbox', { name: /^Max · Technician · new/ })
  await ticked.waitFor()
  expect(await ticked.isChecked()).toBe(false)
  expect(await act.getByRole('checkbox', { name: /^Tea/ }).isDisabled()).toBe(true)
  await page.getByText('Routing rules: none, here or in the backup.').waitFor()
  await page.getByText('Name, time zone and language stay as they are.').waitFor()
  await looked('backup-preview')
  expect(await people()).toEqual(['Tea technician'])
  await act.getByLabel(/^Your own password/).fill(PASSWORD)
  await ticked.check()
  await act.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText(/^Taken over: printers \d.*people 1/).waitFor()
  expect(await people()).toEqual(['Max technician', 'Tea technician'])
})

it('reads a backup of an older version only by a tick, and imports no people from it', async () => {
  const { page } = visitor
  const content = {
    ...{
      format: 'ticketrail-backup',
      version: 1,
      madeAt: '2026-11-21T11:00:00.000Z',
      app: 'older',
      printers: [],
      rules: [],
    },
    ...{ box: { name: 'Old', timeZone: '', language: 'en' }, logo: null },
    users: [{ name: 'Eve', role: 'technician', password: `scrypt$16$1$1$${'A'.repeat(22)}$${'A'.repeat(43)}` }],
  }
  await page.goto('/admin/care')
  const buffer = gzipSync(JSON.stringify(content))
  await page.getByLabel('Backup file').setInputFiles({ name: 'old.json.gz', mimeType: 'application/gzip', buffer })
  const look = page.locator('form').filter({ has: page.getByRole('button', { name: 'Show what it would bring' }) })
  await look.getByLabel(/^Passphrase/).fill(PASSPHRASE)
  await look.getByRole('button', { name: 'Show what it would bring' }).click()
  await look.getByRole('alert').getByText('has no passphrase').waitFor()
  await look.getByRole('checkbox', { name: /^This file has no passphrase/ }).check()
  await look.getByRole('button', { name: 'Show what it would bring' }).click()
  await page.getByText('The file is not protected').waitFor()
  expect(await page.getByRole('checkbox', { name: /^Eve/ }).isDisabled()).toBe(true)
  await looked('backup-plain')
})

it('made the browser complain of nothing but what was refused', () => {
  expect(visitor.complaints.filter((words) => !/status of 4(03|09|22)/.test(words))).toEqual([])
})
