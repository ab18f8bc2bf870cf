// The page's way to the box: operations by POST, answers typed by the server's own list. Nothing of the server is loaded: types only.
import type { OperationAnswers } from '#gateway/control/answers.ts'
import type { OperationBody, OperationName } from '#gateway/control/operations.ts'

export interface FieldProblem {
  field: string
  message: string
}

/** What the box, or the way to it, said against a request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** `unreachable`: no answer came. Else the server's word, such as `not-found`. */
  readonly code: string
  readonly status: number
  readonly fields: readonly FieldProblem[]
  constructor(code: string, status: number, message: string, fields: readonly FieldProblem[] = []) {
    super(message)
    this.code = code
    this.status = status
    this.fields = fields
  }
}

/** Longer than any operation of the box takes. */
const TIMEOUT_MS = 35_000

export async function perform<N extends OperationName>(name: N, body: OperationBody<N>): Promise<OperationAnswers[N]> {
  const { result } = (await post(name, body)) as { result: OperationAnswers[N] }
  return result
}

/** @param path below /api/v1/ */
export async function post(path: string, body: unknown = {}): Promise<unknown> {
  const response = await request(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return await response.json()
}

export async function get(path: string): Promise<unknown> {
  return await (await request(`/api/v1/${path}`, {})).json()
}

/** The answer, when it is a good one. @throws ApiError */
export async function request(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, cache: 'no-store', signal: timeout() })
  } catch {
    throw new ApiError('unreachable', 0, '')
  }
  if (response.ok) return response
  throw refusalOf(response.status, await response.json().catch(() => null))
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(TIMEOUT_MS)
}

function refusalOf(status: number, body: unknown): ApiError {
  const { code, message, errors } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const fields = Array.isArray(errors) ? errors.flatMap(fieldProblemOf) : []
  return new ApiError(
    typeof code === 'string' ? code : 'internal',
    status,
    typeof message === 'string' ? message : '',
    fields,
  )
}

function fieldProblemOf(one: unknown): FieldProblem[] {
  const { field, message } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
  return typeof field === 'string' && typeof message === 'string' ? [{ field, message }] : []
}
