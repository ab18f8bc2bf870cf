// How the audit log stores others' addresses: enough to recognise them, nothing that gives access there.
import { expect, test } from 'vitest'
import { AuditStore } from '#cloud/storage/audit-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { noFiles } from '#test/fixtures/admin-desk.ts'
import { runAdmin } from './run-admin.ts'

test('of a platform and a point of sale it names the site, without path and query: they may hold a secret', async () => {
  const api = await RelayApi.open()
  try {
    const { accountId } = api.account
    const deps = {
      db: api.db,
      clock: api.clock,
      secretBox: new SecretBox(Buffer.alloc(32, 3)),
      guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }),
      readFile: async () => '',
    }
    const run = (...args: string[]) => {
      const of = ['--merchant', 'M-TEST-001', '--account', accountId]
      return runAdmin({
        args: [...args, ...of],
        open: async () => deps,
        files: noFiles,
        write: () => {},
        writeError: () => {},
      })
    }
    const platform = ['--channel', 'one', '--platform', 'One', '--url', 'https://127.0.0.1:8443/hook-4711']
    expect(await run('channels', 'connect', ...platform)).toBe(0)
    expect(await run('pos', 'connect', '--url', 'https://127.0.0.1/till?token=hook-4711')).toBe(0)
    const [pos, channel] = await new AuditStore(api.db).list(accountId, 2)
    expect(JSON.parse(pos?.after ?? '')).toEqual({ pos: 'http', site: 'https://127.0.0.1' })
    expect(JSON.parse(channel?.after ?? '')).toMatchObject({ channel: 'one', site: 'https://127.0.0.1:8443' })
    expect(`${pos?.after} ${channel?.after}`).not.toContain('hook-4711')
  } finally {
    await api.close()
  }
})
