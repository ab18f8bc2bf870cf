// The same fastify + zod inject route without storage: same server, hooks, key hash, schema, hash and total; nothing is kept. Prints its port as one JSON line.
import { buildServer } from '#cloud/api/server.ts'
import { hashApiKey } from '#cloud/auth/api-keys.ts'
import { bodyHash } from '#cloud/orders/body-hash.ts'
import { checkTotal } from '#cloud/orders/check-total.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { ApiKeysTable } from '#cloud/storage/schema-accounts.ts'
import { systemClock, toIso } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { createLogger, logWalk } from '#shared/log.ts'
import { injectOrder, orderResult } from '#shared/wire/api/orders.ts'

const key = process.argv[2] ?? ''
const row: ApiKeysTable = {
  id: 'key_bench',
  account_id: 'acc_bench',
  environment: 'sandbox',
  hash: hashApiKey(key),
  hint: key.slice(-4),
  scopes: JSON.stringify(['orders:write']),
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaced_by: null,
  created_at: 0,
}
const apiKeys = { byHash: async (hash: string) => (hash === row.hash ? row : null) } as unknown as ApiKeyStore
const log = createLogger('bare', 'info')
const app = buildServer({ apiKeys, clock: systemClock, log, docBase: () => '', stopping: () => false })
app.route({
  method: 'POST',
  url: '/v1/order/inject',
  config: { access: 'orders:write' },
  schema: { body: injectOrder, response: { 200: orderResult } },
  handler: async (request, reply) => {
    const now = systemClock.now()
    bodyHash(request.body)
    checkTotal(request.body)
    const serviceOrderId = newId('ord', now)
    const result = JSON.stringify({
      status: 'accepted',
      serviceOrderId,
      posOrderId: null,
      queuedAt: toIso(now),
      estimatedReadyAt: toIso(now),
      printJobId: newId('pj', now),
    })
    // The real route logs two steps of the walk.
    logWalk(log, { walk: '2/10', serviceOrderId, ms: 0 }, 'nothing is kept here')
    logWalk(log, { walk: '1/10', serviceOrderId, ms: 0 }, 'an order came in')
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(result as never)
  },
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(JSON.stringify({ http: typeof address === 'object' && address ? address.port : 0 }))
