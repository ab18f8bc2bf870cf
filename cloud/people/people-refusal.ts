// A refused sign-in, or a refused change of what a person signs in with: words for people, and a key for pages in other languages.

/** `invalid`: a field is wrong. `refused`: it is not possible now. `elevate`: a password or passkey is wanted first. `busy`, `throttled`: later it may be. */
export type PeopleRefusalKind =
  | 'invalid'
  | 'not-found'
  | 'refused'
  | 'signed-out'
  | 'elevate'
  | 'wrong-password'
  | 'wrong-code'
  | 'throttled'
  | 'busy'

interface More {
  /** The values in the sentence of the key. */
  values?: Readonly<Record<string, string | number>>
  /** The field of the request that it is about. */
  field?: string
  retryAfterSeconds?: number
}

export class PeopleRefusal extends Error {
  override readonly name = 'PeopleRefusal'
  readonly kind: PeopleRefusalKind
  /** Stable, such as `session.wrong-password`. */
  readonly key: string
  readonly values: Readonly<Record<string, string | number>> | undefined
  readonly field: string | null
  readonly retryAfterSeconds: number | undefined

  /** @param key with its kind: `wrong-password session.wrong-password` would be written twice, so the two are named together */
  constructor({ kind, key, ...more }: { kind: PeopleRefusalKind; key: string } & More, message: string) {
    super(message)
    this.kind = kind
    this.key = key
    this.values = more.values
    this.field = more.field ?? null
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
