// Passwords of the page's users, as scrypt hashes that carry their own salt and costs.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MB and about a third of a second on a small board. */
const COST = { N: 32_768, r: 8, p: 1 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** More would hold up the tickets that are drawn on the same threads. */
const MOST_WAITING = 8

/** Makes and checks hashes one after another: many sign-ins at once must not take the memory of a small box. */
export class Passwords {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  readonly #cost: typeof COST

  /** @param cost for tests only: cheaper hashes */
  constructor(cost: typeof COST = COST) {
    this.#cost = cost
  }

  /** True when so many wait that another one must be told to come back. */
  get isBusy(): boolean {
    return this.#waiting >= MOST_WAITING
  }

  /** `scrypt$32768$8$1$salt$key` */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#derive(password, salt, this.#cost)
    const { N, r, p } = this.#cost
    return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
  }

  /** @param stored null: there is no such user, which takes as long as a wrong password */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const read = stored === null ? null : readHash(stored)
    const { cost, salt, key } = read ?? { cost: this.#cost, salt: Buffer.alloc(SALT_BYTES), key: null }
    const derived = await this.#derive(password, salt, cost)
    return key !== null && key.length === derived.length && timingSafeEqual(key, derived)
  }

  #derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
    this.#waiting++
    const run = this.#last.then(() => derive(password, salt, { ...cost, maxmem: 256 * cost.N * cost.r }))
    const done = (): void => {
      this.#waiting--
    }
    this.#last = run.then(done, done)
    return run
  }
}

const HASH = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,86})\$([\w-]{22,86})$/

/** True for text that `Passwords.hash` may have made, with costs that this box can bear. */
export function isPasswordHash(text: string): boolean {
  const read = readHash(text)
  return read !== null && read.cost.N * read.cost.r * read.cost.p <= 4 * COST.N * COST.r
}

function readHash(text: string): { cost: typeof COST; salt: Buffer; key: Buffer } | null {
  const [, N, r, p, salt, key] = HASH.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
