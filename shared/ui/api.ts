// Requests of a page to its server: JSON by POST and GET, with refusals as `ApiError`.
import { plainJson } from '#shared/turning-marks.ts'

export interface FieldProblem {
  field: string
  message: string
  /** The rule that the value breaks. Null: see the message. */
  rule: { key: string; limit: number | null } | null
}

/** The key of the page's sentence for this problem, and the values in it. */
interface SaidProblem {
  key: string
  values: Record<string, string | number>
}

/** A refusal by the server, or a failed connection. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** `unreachable` if there was no answer; otherwise the server's code, such as `not-found`. */
  readonly code: string
  readonly status: number
  readonly fields: readonly FieldProblem[]
  readonly said: SaidProblem | null
  /** Values such as the seconds to wait, and `requestId`, which identifies the request in the server's log. */
  readonly values: Readonly<Record<string, string | number>>
  /** The field that the whole refusal is about. Null if there is no single one. */
  readonly field: string | null
  constructor(
    code: string,
    status: number,
    {
      message,
      fields = [],
      said = null,
      values = {},
      field = null,
    }: {
      message: string
      fields?: readonly FieldProblem[]
      said?: SaidProblem | null
      values?: Record<string, string | number>
      field?: string | null
    },
  ) {
    super(message)
    this.code = code
    this.status = status
    this.fields = fields
    this.said = said
    this.values = values
    this.field = field
  }
}

/** Longer than any operation takes. */
const TIMEOUT_MS = 35_000

/** @throws ApiError */
export async function postTo(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return plainJson(await response.text())
}

/** @throws ApiError */
export async function getFrom(url: string): Promise<unknown> {
  return plainJson(await (await request(url, {})).text())
}

/** The response, if it has a success status. @throws ApiError */
export async function request(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, cache: 'no-store', signal: timeout() })
  } catch {
    throw new ApiError('unreachable', 0, { message: '' })
  }
  if (response.ok) return response
  throw refusalOf(
    response.status,
    await response
      .text()
      .then(plainJson)
      .catch(() => null),
  )
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(TIMEOUT_MS)
}

function refusalOf(status: number, body: unknown): ApiError {
  const { code, message, errors, said, retryAfterSeconds, field, requestId } = partsOf(body)
  return new ApiError(typeof code === 'string' ? code : 'internal', status, {
    message: typeof message === 'string' ? message : '',

    fields: Array.isArray(errors) ? errors.flatMap(fieldProblemOf) : [],
    said: saidOf(said),
    values: {
      ...(typeof retryAfterSeconds === 'number' && { seconds: retryAfterSeconds }),
      ...(typeof requestId === 'string' && { requestId }),
    },
    field: typeof field === 'string' ? field : null,
  })
}

function saidOf(said: unknown): SaidProblem | null {
  const { key, values } = partsOf(said)
  if (typeof key !== 'string') return null
  const known = Object.entries(partsOf(values)).filter(
    (value): value is [string, string | number] => typeof value[1] === 'string' || typeof value[1] === 'number',
  )
  return { key, values: Object.fromEntries(known) }
}

function fieldProblemOf(one: unknown): FieldProblem[] {
  const { field, message, rule } = partsOf(one)
  if (typeof field !== 'string' || typeof message !== 'string') return []
  const { key, limit } = partsOf(rule)
  return [
    {
      field,
      message,
      rule: typeof key === 'string' ? { key, limit: typeof limit === 'number' ? limit : null } : null,
    },
  ]
}

function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
