// Passwords of a page's users, as scrypt hashes that carry their own salt and costs; and the keys of files that a person locks with words.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export interface ScryptCost {
  /** A power of two, 2 or more. */
  N: number
  r: number
  p: number
}

/** What a key is made of. */
export interface KeyQuestion {
  words: string
  salt: Uint8Array
  cost: ScryptCost
}

/** 32 MB and about a third of a second on a small board. */
const COST: ScryptCost = { N: 32_768, r: 8, p: 1 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** OpenSSL may count a little more one day. */
const SPARE_BYTES = 65_536
/** Of a small box: more would take its memory, and hold up the tickets that are drawn on the same threads. */
const OF_A_BOX: HashLimits = { atOnce: 1, mostWaiting: 8 }

export interface HashLimits {
  /** So many are made or checked at the same time. */
  atOnce: number
  /** With so many, including those being checked, the next is refused as busy. */
  mostWaiting: number
}

/** Makes and checks hashes a few at a time: many sign-ins at once must not take the memory of the machine. */
export class Passwords {
  readonly #turns: (() => void)[] = []
  #working = 0
  readonly #limits: HashLimits
  readonly #cost: ScryptCost
  readonly #derive: (question: KeyQuestion) => Promise<Buffer>

  /**
   * @param cost of new hashes, and of the check for a name that does not exist
   * @param derive for tests only: sees what is asked
   * @param limits default: those of a box
   */
  constructor(cost: ScryptCost = COST, derive = scryptKey, limits = OF_A_BOX) {
    this.#cost = cost
    this.#derive = derive
    this.#limits = limits
  }

  /** True when so many wait that another one must be refused as busy. */
  get isBusy(): boolean {
    return this.#working + this.#turns.length >= this.#limits.mostWaiting
  }

  /** `scrypt$32768$8$1$salt$key` */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.key({ words: password, salt, cost: this.#cost })
    const { N, r, p } = this.#cost
    return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
  }

  /** @param stored null: there is no such user. That, and a hash that cannot be used, takes as long as a wrong password */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const read = stored === null ? null : readHash(stored)
    const nobodys = { cost: this.#cost, salt: Buffer.alloc(SALT_BYTES), key: null }
    const { cost, salt, key } = read ?? nobodys
    let derived: Buffer
    try {
      derived = await this.key({ words: password, salt, cost })
    } catch {
      // Costs that scrypt refuses after all, or memory that is not there now: the work of a wrong password, and its answer.
      await this.key({ words: password, salt: nobodys.salt, cost: nobodys.cost })
      return false
    }
    return key !== null && timingSafeEqual(key, derived)
  }

  /** 32 bytes, queued. @throws when scrypt refuses the costs */
  async key(question: KeyQuestion): Promise<Buffer> {
    if (this.#working < this.#limits.atOnce) this.#working++
    else await new Promise<void>((resolve) => this.#turns.push(resolve))
    try {
      return await this.#derive(question)
    } finally {
      const next = this.#turns.shift()
      if (next) next()
      else this.#working--
    }
  }
}

const HASH = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,86})\$([\w-]{43})$/

/** True for text that `Passwords.hash` may have made, with costs that scrypt accepts and a small machine can bear. Any other matches no password. */
export function isPasswordHash(text: string): boolean {
  return readHash(text) !== null
}

/** Costs that scrypt takes (RFC 7914, section 2), of at most so many steps. */
export function isScryptCost({ N, r, p }: ScryptCost, mostSteps: number): boolean {
  return N >= 2 && (N & (N - 1)) === 0 && r >= 1 && p >= 1 && N < 2 ** (16 * r) && N * r * p <= mostSteps
}

/** What OpenSSL takes of memory to make a key, in bytes. */
export function scryptBytes({ N, r, p }: ScryptCost): number {
  return 128 * r * (N + p + 2)
}

function readHash(text: string): { cost: ScryptCost; salt: Buffer; key: Buffer } | null {
  const [, N, r, p, salt, key] = HASH.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  if (!isScryptCost(cost, 4 * COST.N * COST.r)) return null
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') }
}

/** 32 bytes. The same letters, typed on two keyboards, give the same key. */
export function scryptKey({ words, salt, cost }: KeyQuestion): Promise<Buffer> {
  const options = { ...cost, maxmem: scryptBytes(cost) + SPARE_BYTES }
  return new Promise((resolve, reject) => {
    scrypt(words.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
