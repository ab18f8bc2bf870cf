// The six scopes of the specification and what a new key gets of them.
import { ServiceError } from '#shared/errors.ts'

export const SCOPES = [
  'orders:read',
  'orders:write',
  'menu:read',
  'menu:write',
  'webhooks:manage',
  'printers:control',
] as const
export type Scope = (typeof SCOPES)[number]
/**
 * Of the receptionist (area B): not one of the six, which keys get by default and which the reference of /v1 lists. Every sandbox key has
 * it, live keys by grant.
 */
export const RECEPTIONIST_SCOPE = 'receptionist:read'
export type KeyScope = Scope | typeof RECEPTIONIST_SCOPE
/** What a key can be given. */
export const KEY_SCOPES = [...SCOPES, RECEPTIONIST_SCOPE] as const
export type Environment = 'sandbox' | 'live'

/** Sandbox keys get everything; live keys start read-only and are granted writes one by one (specification, Authentication 3). */
export function defaultScopes(environment: Environment): readonly Scope[] {
  return environment === 'sandbox' ? SCOPES : ['orders:read', 'menu:read']
}

/** Scopes as stored (JSON array of names). A name that this build does not support grants nothing. */
export function parseScopes(json: string): ReadonlySet<Scope> {
  const names: unknown = JSON.parse(json)
  if (!Array.isArray(names)) throw new Error('stored scopes are not an array')
  return new Set(SCOPES.filter((scope) => names.includes(scope)))
}

/** @throws ServiceError auth.insufficient_scope (403), naming the missing scope. */
export function requireScope(granted: ReadonlySet<Scope>, scope: Scope): void {
  if (granted.has(scope)) return
  throw new ServiceError('auth.insufficient_scope', {
    message: `This API key lacks the scope ${scope} that the call needs.`,
  })
}

/** Whether scopes as stored let a key read active calls. */
export function readsCalls(environment: Environment, json: string): boolean {
  return environment === 'sandbox' || (JSON.parse(json) as unknown[]).includes(RECEPTIONIST_SCOPE)
}

/** @throws ServiceError auth.insufficient_scope (403) */
export function requireCalls({ readsCalls: may }: { readsCalls: boolean }): void {
  if (may) return
  throw new ServiceError('auth.insufficient_scope', {
    message: `This API key lacks the scope ${RECEPTIONIST_SCOPE} that the call needs.`,
  })
}
