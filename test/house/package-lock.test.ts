// The lock file: what npm installs is what was locked, byte for byte, on every platform.
import { expect, it } from 'vitest'
import { read } from './source-files.ts'

interface Entry {
  version?: string
  /** A folder of ours. */
  link?: boolean
  integrity?: string
}

const entries = Object.entries((JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }).packages)

it('has the digest of every package that comes from a registry', () => {
  const fromRegistry = entries.filter(([path, { link }]) => path !== '' && link !== true)
  expect(fromRegistry.length).toBeGreaterThan(100)
  const without = fromRegistry.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
  expect(without.map(([path, { version }]) => `${path} ${version}`)).toEqual([])
})
