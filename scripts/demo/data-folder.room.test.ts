// The data folder's lock, with real processes as owners.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DataPaths, dataPaths, lockDataFolder, makeDataFolder } from './data-folder.ts'
import { writePrivateFile } from './private-file.ts'

let paths: DataPaths
const started: ChildProcess[] = []

beforeEach(() => {
  paths = dataPaths(join(mkdtempSync(join(tmpdir(), 'ticketrail-demo-')), 'data'))
  makeDataFolder(paths)
})

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(join(paths.root, '..'), { recursive: true })
})

/** A process whose command line ends with `name`, as that of a starter or a program of ours does. */
async function processNamed(name: string): Promise<number> {
  const file = join(paths.root, '..', name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, 'process.stdout.write("up"); process.stdin.resume()')
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'ignore'] })
  started.push(child)
  if (child.stdout) await once(child.stdout, 'data')
  return child.pid ?? 0
}

const endNothing = (): void => {
  throw new Error('nothing was left behind')
}

describe('the data folder', () => {
  it('is readable only by its owner', () => {
    expect(statSync(paths.root).mode & 0o777).toBe(0o700)
    writePrivateFile(paths.secrets, '{}')
    expect(statSync(paths.secrets).mode & 0o777).toBe(0o600)
  })

  it('is refused while another starter runs in it', async () => {
    const owner = await processNamed('scripts/demo.ts')
    writeFileSync(paths.lock, String(owner))
    expect(() => lockDataFolder(paths, endNothing)).toThrow(new RegExp(`already runs.*process ${owner}`))
    expect(readFileSync(paths.lock, 'utf8')).toBe(String(owner))
  })

  it('is given back and can be taken again', () => {
    lockDataFolder(paths, endNothing)()
    expect(existsSync(paths.lock)).toBe(false)
    lockDataFolder(paths, endNothing)
    expect(readFileSync(paths.lock, 'utf8')).toBe(String(process.pid))
  })

  it('is taken over from a starter that is gone, also when its process id now belongs to something else', async () => {
    writeFileSync(paths.lock, String(await processNamed('something-else.ts')))
    lockDataFolder(paths, endNothing)
    expect(readFileSync(paths.lock, 'utf8')).toBe(String(process.pid))
  })

  it('ends the programs that a killed starter left behind, and no other process', async () => {
    const cloud = await processNamed('cloud/main.ts')
    const stranger = await processNamed('something-else.ts')
    writeFileSync(paths.lock, '4194303')
    writeFileSync(paths.demo, JSON.stringify({ pids: { cloud, gateway: stranger } }))
    const ended: number[] = []
    lockDataFolder(paths, (pid) => ended.push(pid))
    expect(ended).toEqual([cloud])
  })
})
