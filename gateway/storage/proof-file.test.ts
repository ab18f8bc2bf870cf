// The proof file alone: which of its operations fail, and how that is reported.
import {
  closeSync,
  copyFileSync,
  fdatasync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Proof, ProofFile } from './proof-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proof-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const said: Proof = { stream: 's', binding: 'b', claims: 0, machine: 'm' }

it('reports a failed sync, and not after it is closed', async () => {
  const file = new ProofFile(folder, '/gateway.db')
  // It takes what is written, and the system refuses to sync it.
  symlinkSync('/dev/null', file.path)
  file.open(said)
  file.write(1)
  const error = await new Promise<Error>((resolve) => file.syncSoon(resolve))
  expect(error.message).toContain('fdatasync')
  const afterwards = vi.fn()
  file.syncSoon(afterwards)
  file.close()
  const next = new ProofFile(folder, '/gateway.db')
  next.open(said)
  await new Promise<Error>((resolve) => next.syncSoon(resolve))
  expect(afterwards).not.toHaveBeenCalled()
  next.close()
})

it('that was created again does not report the sync of the earlier file, which had the same descriptor', async () => {
  const file = new ProofFile(folder, '/gateway.db')
  symlinkSync('/dev/null', file.path)
  file.open(said)
  const failed = vi.fn()
  // More than the system works on at once: some begin when the number is free again, or belongs to the new file.
  for (let n = 0; n < 20; n++) file.syncSoon(failed)
  file.create(said)
  symlinkSync('/dev/null', join(folder, 'later'))
  const later = openSync(join(folder, 'later'), 'r+')
  for (let n = 0; n < 20; n++) await new Promise((resolve) => fdatasync(later, resolve))
  closeSync(later)
  expect(failed).not.toHaveBeenCalled()
  file.close()
})

it('keeps its descriptor until its last sync has ended, so that no other file gets the number, and no longer', async () => {
  const file = new ProofFile(folder, '/gateway.db')
  file.create(said)
  file.syncSoon(() => undefined)
  file.syncSoon(() => undefined)
  file.close()
  expect(open()).toHaveLength(1)
  await expect.poll(open).toEqual([])
})

it.each([
  ['was deleted', () => undefined],
  ['is another one, as after an older copy was put in its place', (path: string) => copyFileSync(`${path}.kept`, path)],
])('sees that what stands in its place %s, also while something else keeps the file', (_, putBack) => {
  const file = new ProofFile(folder, '/gateway.db')
  file.create(said)
  expect(file.isGone).toBe(false)
  linkSync(file.path, `${file.path}.linked`)
  renameSync(file.path, `${file.path}.kept`)
  putBack(file.path)
  expect(file.isGone).toBe(true)
  file.renew()
  expect(file.isGone).toBe(false)
  expect(new ProofFile(folder, '/gateway.db').read()).toEqual(said)
  file.close()
})

/** Descriptors of this process for files in the folder. */
function open(): string[] {
  const target = (fd: string): string[] => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  }
  return readdirSync('/proc/self/fd')
    .flatMap(target)
    .filter((path) => path.startsWith(folder))
}
