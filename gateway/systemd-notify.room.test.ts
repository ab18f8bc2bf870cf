// Notifications to systemd: by the descriptor that it provides, otherwise by its own program; and none when the gateway is not healthy.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { readAssignments, settingsSource } from './installed.ts'
import { SystemdNotify } from './systemd-notify.ts'

const ROOT = new URL('../', import.meta.url).pathname
const log = pino({ level: 'silent' })

describe('the signs of life', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'notify-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('go to the descriptor of the unit, begin with READY, and stop while the gateway is not healthy', () => {
    // Descriptor 3 of a process of its own, as systemd hands it over.
    const program = `
      import { SystemdNotify } from '#gateway/systemd-notify.ts'
      import { ManualClock } from '#test/doubles/manual-clock.ts'
      import { pino } from 'pino'
      const clock = new ManualClock()
      let healthy = true
      const notify = new SystemdNotify({ env: process.env, pid: process.pid, clock, log: pino({ level: 'silent' }), isHealthy: () => healthy })
      await notify.start()
      await clock.advance(31_000)
      healthy = false
      await clock.advance(60_000)
      healthy = true
      await clock.advance(15_000)
      await notify.stop()
      await clock.advance(60_000)`
    const heard = join(dir, 'heard')
    const fd = openSync(heard, 'a')
    try {
      const line = `LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=notify WATCHDOG_USEC=30000000 exec "$0" --input-type=module --eval "$1"`
      const { stderr } = spawnSync('sh', ['-c', line, process.execPath, program], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'pipe', fd],
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
    } finally {
      closeSync(fd)
    }
    expect(readFileSync(heard, 'utf8')).toBe('READY=1WATCHDOG=1WATCHDOG=1WATCHDOG=1STOPPING=1')
  })

  it('go by the program of systemd where no descriptor was handed over', async () => {
    const heard = join(dir, 'heard')
    writeFileSync(join(dir, 'systemd-notify'), `#!/bin/sh\nprintf '%s,' "$@" >>${heard}\n`)
    chmodSync(join(dir, 'systemd-notify'), 0o755)
    const before = process.env['PATH']
    process.env['PATH'] = `${dir}:${before}`
    const notify = new SystemdNotify({
      env: { NOTIFY_SOCKET: '/run/systemd/notify' },
      pid: 1,
      clock: new ManualClock(),
      log,
      isHealthy: () => true,
    })
    try {
      await notify.start()
      await expect.poll(() => execFileSync('sh', ['-c', `cat ${heard} || true`], { encoding: 'utf8' })).toBe('READY=1,')
    } finally {
      process.env['PATH'] = before
    }
  })

  it('are silent without systemd', async () => {
    const clock = new ManualClock()
    const notify = new SystemdNotify({ env: {}, pid: 1, clock, log, isHealthy: () => false })
    await notify.start()
    await clock.advance(100_000)
    await notify.stop()
  })
})

describe('the settings of an installed gateway', () => {
  it('are read as systemd reads them', () => {
    const text = `# comment\n#GATEWAY_HTTP_PORT=1\nGATEWAY_PRINTERS="grill=192.168.1.50"\n  GATEWAY_HTTP_PORT=8080  \nnonsense\nEMPTY=\n`
    expect(readAssignments(text)).toEqual({
      GATEWAY_PRINTERS: 'grill=192.168.1.50',
      GATEWAY_HTTP_PORT: '8080',
      EMPTY: '',
    })
  })

  it('count for the installed program only', () => {
    const env = { GATEWAY_DATABASE: 'x' }
    expect(settingsSource(env, '/usr/lib/ticketrail-gateway/ticketrail-gateway')).toBe(env)
  })
})
