// The command itself: text to the terminal, a picture to a file, errors with an exit code.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPng } from '#shared/raster/png.ts'
import { compiledCode } from '#test/harness/compiled-code.ts'

const ENTRY = join(import.meta.dirname, '..', 'ticket.ts')
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-ticket-'))
})

afterEach(() => rmSync(dir, { recursive: true }))

function ticket(args: readonly string[], input = '') {
  const env = { ...process.env, ...compiledCode(process.execPath, 'lines'), INIT_CWD: dir }
  return spawnSync(process.execPath, [ENTRY, ...args], { input, encoding: 'utf8', env, cwd: dir })
}

test('an order in a file is drawn as text and as a picture beside it', async () => {
  writeFileSync(join(dir, 'order.json'), JSON.stringify({ items: [{ umsId: 'x', name: '宫保鸡丁', qty: 2 }] }))
  const { stdout, stderr, status } = ticket(['order.json', '--png', 'ticket.png', '--now', '2026-11-21T18:02:00Z'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('items 2')
  expect(stdout).toContain('[raster ')
  expect((await readPng(readFileSync(join(dir, 'ticket.png')))).width).toBe(576 + 48)
})

test('an order from the standard input; errors have a message and an exit code', () => {
  expect(ticket(['-'], '{"items":[{"name":"Soup","qty":1}]}').stdout).toContain('Soup')
  const { stderr, status } = ticket(['-'], '{"items":[{"name":"Soup","qty":1.5}]}')
  expect([status, stderr]).toEqual([1, 'standard input: items[0].qty must be a whole number\n'])
  expect(ticket(['none.json'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^none\.json: cannot be read: ENOENT/),
  })
  expect(ticket(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('--png FILE') })
})
