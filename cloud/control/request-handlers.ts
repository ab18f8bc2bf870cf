// The log of requests: the list, one of them, and equal errors together. Each relay shows what it has answered itself.
import { issueApiKey } from '#cloud/auth/accounts.ts'
import type { ListedRow, RequestGroup } from '#cloud/requests/request-file.ts'
import { KEPT_BODY, type RequestLog } from '#cloud/requests/request-log.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import { toIso } from '#shared/clock.ts'
import { ERROR_HELP } from '#shared/error-help.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { accountOf } from './act.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Handlers } from './handler.ts'
import type {
  ErrorHelpAnswer,
  REQUEST_OPERATIONS,
  RequestGroupAnswer,
  RequestLogState,
  RequestRowAnswer,
} from './request-list.ts'

const HOUR_MS = 3_600_000
/** If its end does not come, the key of one call ends by itself. */
const AGAIN_KEY_MS = 60_000
const LONGEST_ANSWER = 65_536

export const REQUEST_HANDLERS: Pick<Handlers, keyof typeof REQUEST_OPERATIONS> = {
  'requests.list': async (context, doing, { environment, limit, cursor, ...filter }) => {
    const account = accountOf(doing)
    const filters = { ...filter, ids: filter.ids?.join(' ') }
    const cursors = new ListCursors({ list: 'requests', of: [account, environment], filters })
    const below = cursors.decode(cursor)?.id
    const page = (await logOf(context)?.list({ account, environment, ...filter, below, limit })) ?? {
      rows: [],
      below: null,
    }
    return {
      log: stateOf(context),
      data: page.rows.map(rowAnswer),
      nextCursor: page.below === null ? null : cursors.encode({ at: 0, id: page.below }),
    }
  },

  'requests.get': async (context, doing, { environment, requestId }) => {
    const account = accountOf(doing)
    const row = (await logOf(context)?.find(account, environment, requestId)) ?? null
    if (row === null)
      throw new ControlRefusal('not-found', `This relay has no request ${requestId}.`, {
        said: { key: 'request.unknown' },
      })
    const key = (await context.apiKeys.ofAccount(account)).find(({ id }) => id === row.keyId)
    return {
      ...rowAnswer(row),
      environment,
      key: { keyId: row.keyId, endsWith: key?.hint ?? null },
      ...{ body: row.body, bodyBytes: row.bodyBytes, isCut: (row.body?.length ?? 0) >= KEPT_BODY },
      isMasked: `${row.path} ${row.body}`.includes('***'),
      help: helpOf(row.code),
    }
  },

  'requests.again': {
    alone: async (context, doing, { method, path, body }) => {
      const accountId = accountOf(doing)
      const callApi = context.running?.callApi
      if (callApi === undefined) throw new Error('no relay runs here')
      const now = context.clock.now()
      const { keyId, apiKey } = await context.db.unit(async (tx) => {
        const expiresAtMs = now + AGAIN_KEY_MS
        const issued = await issueApiKey(tx, context, { accountId, environment: 'sandbox', expiresAtMs })
        const audit = { accountId, action: 'request.again' as const, subject: issued.keyId, after: { method, path } }
        await audited(tx, context, { ...audit, act: doing })
        return issued
      })
      try {
        const startedMs = context.clock.monotonicMs()
        const sent = { method, path, apiKey, body: body === undefined ? null : JSON.stringify(body) }
        const { status, requestId, text } = await callApi(sent)
        const ms = Math.round(context.clock.monotonicMs() - startedMs)
        return { status, requestId, ms, body: text.slice(0, LONGEST_ANSWER) }
      } finally {
        await context.db.unit((tx) => context.apiKeys.remove(tx, keyId))
      }
    },
  },

  'requests.groups': async (context, doing, { environment, hours }) => {
    const sinceMs = context.clock.now() - hours * HOUR_MS
    const found = (await logOf(context)?.groups(accountOf(doing), environment, sinceMs)) ?? []
    return { log: stateOf(context), data: found.map(groupAnswer) }
  },
}

function logOf({ running }: ControlContext): RequestLog | null {
  return running?.requests ?? null
}

function stateOf(context: ControlContext): RequestLogState {
  const log = logOf(context)
  const relay = context.db.replicaId
  if (log === null) return { state: 'off', days: 0, leftOut: 0, relay }
  const { isOn, days, leftOut } = log.state
  return { state: isOn ? 'on' : 'failed', days, leftOut, relay }
}

function rowAnswer(row: ListedRow): RequestRowAnswer {
  const { id: requestId, method, route, path, status, ms, code, fields, merchantId } = row
  return { requestId, at: toIso(row.at), method, route, path, status, ms, code, fields: listOf(fields), merchantId }
}

function groupAnswer({ newestAt, oldestAt, fields, ...group }: RequestGroup): RequestGroupAnswer {
  return {
    ...group,
    fields: listOf(fields),
    newestAt: toIso(newestAt),
    oldestAt: toIso(oldestAt),
    help: helpOf(group.code),
  }
}

const listOf = (fields: string): string[] => (fields === '' ? [] : fields.split(','))

function helpOf(code: string | null): ErrorHelpAnswer | null {
  const help = code === null ? undefined : ERROR_HELP[code as ErrorCode]
  return help === undefined ? null : { ...help, path: `/docs/errors#${code}` }
}
