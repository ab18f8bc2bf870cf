// GET /v1/requests: what was called and answered, from this relay's log of requests.
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { requireScope } from '#cloud/auth/scopes.ts'
import type { ListedRow } from '#cloud/requests/request-file.ts'
import type { RequestLog } from '#cloud/requests/request-log.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { firstId } from '#shared/ids.ts'
import { type ApiRequest, requestsPage, requestsQuery } from '#shared/wire/api/requests.ts'

/** Rows that a call looks at: a page may be empty and say where to go on. */
const LOOKED_AT = 2_000

export interface RequestRouteDeps {
  authorize: Authorize
  /** Null: the relay keeps none. */
  requests: Pick<RequestLog, 'list' | 'state'> | null
}

export function requestRoutes(app: App, { authorize, requests }: RequestRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/requests',
    config: {
      access: 'any-key',
      unmetered: true,
      doc: {
        operationId: 'listRequests',
        summary: 'List calls of this key, or of all keys of the account',
        tag: 'Account',
        errors: ['auth.insufficient_scope', 'request_log.off'],
      },
    },
    schema: { querystring: requestsQuery, response: { 200: requestsPage } },
    handler: async (request, reply) => {
      const principal = principalOf(request)
      const { accountId, environment } = principal
      const { limit, cursor, ...filters } = request.query
      const { keys, status, method, path: pathStart, merchantId, from } = filters
      if (keys === 'all') requireScope(principal.scopes, 'webhooks:manage')
      if (merchantId !== undefined) await authorize(principal, merchantId)
      const log = openLog(requests)
      const keyId = keys === 'this' ? principal.keyId : undefined
      const of = [accountId, environment, ...(keyId === undefined ? [] : [keyId])]
      const cursors = new ListCursors({ list: 'requests by the API', of, filters })
      const below = cursors.decode(cursor)?.id
      const since = from === undefined ? undefined : firstId('req', fromIso(from) ?? 0)
      const narrowed = { status: statusOf(status), method, pathStart, merchantId, keyId, since, below }
      const page = await log.list({ account: accountId, environment, ...narrowed, limit, looks: LOOKED_AT })
      const nextCursor = page.below === null ? null : cursors.encode({ at: 0, id: page.below })
      return reply.header('cache-control', 'no-store').send({ data: page.rows.map(apiRequestOf), nextCursor })
    },
  })
}

/** @throws ServiceError request_log.off (404) */
function openLog(requests: RequestRouteDeps['requests']): NonNullable<RequestRouteDeps['requests']> {
  if (requests === null) throw new ServiceError('request_log.off')
  if (requests.state.isOn) return requests
  const message = "This relay's log of requests cannot be written and is off until the relay's next start."
  throw new ServiceError('request_log.off', { message })
}

/** `4xx` is the first digit alone. */
function statusOf(status: string | undefined): number | undefined {
  return status === undefined ? undefined : Number(status.replace('xx', ''))
}

function apiRequestOf({ id, at, fields, ms, ...row }: ListedRow): ApiRequest {
  const { method, path, status, code, merchantId, keyId } = row
  return {
    ...{ requestId: id, answeredAt: toIso(at), method, path, status, durationMs: ms, code },
    ...{ fields: fields === '' ? [] : fields.split(','), merchantId, keyId },
  }
}
