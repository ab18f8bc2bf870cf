// A port belongs to one test process, also while nothing listens on it.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { giveBack, holdPort, ownPort } from './own-port.ts'

/** What `holdPort` answers to another process, which ends at once. */
const another = (port: number): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { holdPort } = await import('#test/doubles/own-port.ts'); console.log(holdPort(${port}))`,
    ],
    { encoding: 'utf8' },
  ).trim()

it('is nobody else’s until it is given back, and its next holder’s until that process is gone', async () => {
  const port = await ownPort()
  expect(holdPort(port)).toBe(false)
  expect(another(port)).toBe('false')
  giveBack(port)
  expect(another(port)).toBe('true')
  expect(holdPort(port)).toBe(true)
  giveBack(port)
})

it('cannot be given back by another process', async () => {
  const port = await ownPort()
  const script = `const { giveBack } = await import('#test/doubles/own-port.ts'); giveBack(${port})`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script])
  expect(holdPort(port)).toBe(false)
  giveBack(port)
})
