// The file of the newest disk by itself: what of it fails, and who hears of it.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Proof, ProofFile } from './proof-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proof-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('tells of a sync that failed, and not once it is closed', async () => {
  const said: Proof = { stream: 's', binding: 'b', claims: 0, machine: 'm' }
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
