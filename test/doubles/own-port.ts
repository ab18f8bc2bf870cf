// Ports of the tests: each is held for one test process until it is given back, or the process is gone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#scripts/demo/free-port.ts'

/**
 * Not in the folder of a test run: test runs beside this one take their ports from the same machine. A port that is free now may belong to a
 * program that another test has stopped and is about to start again.
 */
const FOLDER = join(tmpdir(), `ticketrail-test-ports-${userInfo().uid}`)

/**
 * A free port on loopback that no other test gets, also while nothing listens on it. It is below the range of outgoing connections: a client
 * that dials a port of that range on which nobody listens can reach itself.
 * @param taken further ports that it must not be
 */
export async function ownPort(taken: readonly number[] = []): Promise<number> {
  for (;;) {
    const port = await findFreePort(taken)
    if (holdPort(port)) return port
  }
}

/** Others may have it from now on. Does nothing with a port that is not of `ownPort`. */
export function giveBack(port: number): void {
  if (holderOf(port) === process.pid) rmSync(fileOf(port), { force: true })
}

const fileOf = (port: number): string => join(FOLDER, String(port))

/** @returns false: it is of another test process that lives, or of this one */
export function holdPort(port: number): boolean {
  mkdirSync(FOLDER, { recursive: true })
  const holder = holderOf(port)
  if (holder !== null && isAlive(holder)) return false
  rmSync(fileOf(port), { force: true })
  try {
    writeFileSync(fileOf(port), String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function holderOf(port: number): number | null {
  try {
    return Number(readFileSync(fileOf(port), 'utf8'))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    // An empty file is of a process that is just writing it.
    if (pid > 0) process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
