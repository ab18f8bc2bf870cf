// The demo's paper: a ticket that a real socket brings is shown, kept as text and picture, and numbered on over restarts.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { dataPaths, makeDataFolder } from './data-folder.ts'
import type { Address } from './options.ts'
import { PaperTray } from './paper-tray.ts'

const paths = dataPaths(mkdtempSync(join(tmpdir(), 'ticketrail-paper-')))
const said = new Signal<string>()
let tray: PaperTray

beforeEach(() => {
  makeDataFolder(paths)
  tray = new PaperTray(
    paths,
    (text) => said.notify(text),
    () => ({ columns: undefined, isAscii: false }),
  )
})

afterEach(async () => {
  await tray.stop()
  rmSync(paths.root, { recursive: true, force: true })
})

/** ESC @, the text, GS V 66 0: feed and cut. */
async function print({ host, port }: Address, text: string): Promise<string> {
  const shown = said.next()
  const socket = connect(port, host)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.end(Buffer.from(`\u001b@${text}\n\u001dVB\u0000`, 'latin1'))
  return await shown
}

it('shows a ticket in a frame and keeps it as text and as a picture', async () => {
  const address = await tray.start([])
  const shown = await print(address, '2  BURGER')
  expect(shown).toMatch(/^┌─ ticket 1 ─/)
  expect(shown).toMatch(/│ 2 {2}BURGER +│/)
  const files = readdirSync(paths.paper).sort()
  expect(files).toEqual([expect.stringMatching(/^000001-.*\.svg$/), expect.stringMatching(/^000001-.*\.txt$/)])
  expect(shown).toContain(`paper/${files[1]}`)
  expect(readFileSync(join(paths.paper, files[1] ?? ''), 'utf8')).toContain('2  BURGER')
  expect(readFileSync(join(paths.paper, files[0] ?? ''), 'utf8')).toMatch(/^<svg .*<\/svg>$/s)
})

it('continues at the same port and with the next number after a restart', async () => {
  const first = await tray.start([])
  await print(first, 'one')
  await tray.stop()
  tray = new PaperTray(
    paths,
    (text) => said.notify(text),
    () => ({ columns: undefined, isAscii: false }),
  )
  const second = await tray.start([])
  expect(second).toEqual(first)
  expect(await print(second, 'two')).toMatch(/^┌─ ticket 2 ─/)
})
