// The alerts, tested by Debian's `prometheus`: it can read them, and rule tests check their results for given figures.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const PROMTOOL = '/usr/bin/promtool'
const DEPLOY = join(import.meta.dirname, '../../deploy')

if (!existsSync(PROMTOOL))
  process.stderr.write("cloud/metrics/alert-rules.room.test.ts is skipped: Debian's prometheus is not installed\n")

describe.runIf(existsSync(PROMTOOL))('the alerts', () => {
  test('are read by Prometheus', async () => {
    const { stdout } = await promisify(execFile)(PROMTOOL, ['check', 'rules', 'alerts.yaml'], { cwd: DEPLOY })
    expect(stdout).toMatch(/SUCCESS: \d\d rules found/)
  })

  test('fire when they should, and not when nothing is wrong', async () => {
    const { stdout } = await promisify(execFile)(PROMTOOL, ['test', 'rules', 'alerts.test.yaml'], { cwd: DEPLOY })
    expect(stdout).toContain('SUCCESS')
  })
})
