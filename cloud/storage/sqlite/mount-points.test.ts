// Mount points as the kernel writes them down.
import { expect, it } from 'vitest'
import { isMountPoint } from './mount-points.ts'

const MOUNTS = `22 1 8:1 / / rw,relatime - ext4 /dev/root rw
90 22 8:1 /srv/relay.db /data/relay.db rw,relatime shared:1 - ext4 /dev/root rw
91 22 8:1 /srv/a /data/a\\040b\\134c rw - ext4 /dev/root rw
`

it('a path is one when a line names it as where something is mounted, blanks and all', () => {
  expect(['/', '/data/relay.db', '/data/a b\\c'].map((path) => isMountPoint(path, MOUNTS))).toEqual([true, true, true])
})

it('neither a folder on the way, nor what is mounted there, nor a system without that information', () => {
  expect(['/data', '/srv/relay.db', '/data/relay.db-wal'].some((path) => isMountPoint(path, MOUNTS))).toBe(false)
  expect(isMountPoint('/data/relay.db', '')).toBe(false)
})
