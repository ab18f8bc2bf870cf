// Which commands start a program from its bundle, and which its sources.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromBundle } from './compiled-code.ts'

const NODE = process.execPath

describe('a command of a test', () => {
  beforeEach(() => {
    vi.stubEnv('TEST_PROGRAMS', '/built')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('starts the bundle where it names a program from the root of the project', () => {
    expect(fromBundle([NODE, '--max-semi-space-size=4', 'cloud/main.ts', 'admin', 'help'])).toEqual([
      ...[NODE, '--max-semi-space-size=4', '/built/cloud/main.mjs', 'admin', 'help'],
    ])
    expect(fromBundle([NODE, 'gateway/main.ts'])).toEqual([NODE, '/built/gateway/main.mjs'])
  })

  it.each([
    ['a source by its whole path', [NODE, '/project/cloud/main.ts']],
    ['another file', [NODE, 'scripts/ticket.ts', 'cloud/main.ts.txt']],
    ['the executable', ['/usr/bin/ticketrail-gateway', 'gateway/main.ts']],
  ])('stays as it is where it names %s', (_, command) => {
    expect(fromBundle(command)).toEqual(command)
  })

  it('stays as it is where the project has no bundles', () => {
    vi.stubEnv('TEST_PROGRAMS', undefined)
    expect(fromBundle([NODE, 'cloud/main.ts'])).toEqual([NODE, 'cloud/main.ts'])
  })
})
