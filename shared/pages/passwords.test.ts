// Stored hashes with impossible costs: each matches no password, and is never an error of the box.
import { describe, expect, it } from 'vitest'
import { isPasswordHash, isScryptCost, Passwords, type ScryptCost, scryptKey } from './passwords.ts'

const CHEAP = { N: 16, r: 1, p: 1 }
const SALT = Buffer.alloc(16, 7).toString('base64url')
const KEY = Buffer.alloc(32, 7).toString('base64url')
const withCosts = (costs: string, key = KEY): string => `scrypt$${costs}$${SALT}$${key}`

/** The contents that a damaged card, or a tampered file, may leave there. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'N that is no power of two': withCosts('33000$8$1'),
  'N of 1': withCosts('1$8$1'),
  'N of 0': withCosts('0$8$1'),
  'p of 0': withCosts('32768$8$0'),
  'r of 0': withCosts('32768$0$1'),
  'more memory than the box has': withCosts('1048576$64$1'),
  'N too large for r of 1': withCosts('65536$1$1'),
  'the largest N for r of 1': withCosts('1048576$1$1'),
  'a key that is too short': withCosts('32768$8$1', Buffer.alloc(20, 7).toString('base64url')),
  'no hash at all': 'hunter2',
}

describe('a stored hash', () => {
  for (const [name, stored] of Object.entries(IMPOSSIBLE))
    it(`with ${name} counts as no password, and takes the work of a wrong one`, async () => {
      const asked: ScryptCost[] = []
      const passwords = new Passwords(CHEAP, async (question) => {
        asked.push(question.cost)
        return await scryptKey(question)
      })
      expect(isPasswordHash(stored)).toBe(false)
      expect(await passwords.matches('kitchen-2026', stored)).toBe(false)
      expect(asked).toEqual([CHEAP])
    })

  it('of this program is one, at any cost that the box can bear', async () => {
    for (const cost of [CHEAP, { N: 1_024, r: 8, p: 2 }]) {
      const passwords = new Passwords(cost)
      const hash = await passwords.hash('kitchen-2026')
      expect([isPasswordHash(hash), await passwords.matches('kitchen-2026', hash)]).toEqual([true, true])
    }
  })
  it('whose key cannot be derived takes the work of a wrong password, and never matches', async () => {
    const good = await new Passwords({ N: 64, r: 1, p: 1 }).hash('kitchen-2026')
    const asked: ScryptCost[] = []
    const passwords = new Passwords(CHEAP, async (question) => {
      asked.push(question.cost)
      if (question.cost.N === 64) throw new Error('memory limit exceeded')
      return await scryptKey(question)
    })
    expect(await passwords.matches('kitchen-2026', good)).toBe(false)
    expect(asked).toEqual([{ N: 64, r: 1, p: 1 }, CHEAP])
    expect(passwords.isBusy).toBe(false)
  })
})

describe('costs', () => {
  const MOST_STEPS = 4 * 32_768 * 8
  /** As many as a stored hash can name. */
  const taken: ScryptCost[] = []
  for (let N = 2; N <= 1_048_576; N *= 2)
    for (let r = 1; r <= 99; r++)
      for (let p = 1; p <= 99; p++) if (isScryptCost({ N, r, p }, MOST_STEPS)) taken.push({ N, r, p })

  it('that the check lets through are such that scrypt makes a key of them', async () => {
    const cheap = taken.filter(({ N, r, p }) => N * r * p <= 2_048)
    // Those where its limits lie, whatever they cost.
    const edges = taken.filter(({ N, r, p }) => r === 1 && p === 1 && N >= 16_384)
    const failed: string[] = []
    for (const cost of [...cheap, ...edges])
      await scryptKey({ words: 'kitchen-2026', salt: Buffer.alloc(16, 7), cost }).catch((error: Error) =>
        failed.push(`${JSON.stringify(cost)}: ${error.message}`),
      )
    expect(failed).toEqual([])
    expect(cheap.length).toBeGreaterThan(1_000)
    expect(edges.at(-1)).toEqual({ N: 32_768, r: 1, p: 1 })
  })

  it('that are too dear to try are within what scrypt is defined for', () => {
    const outside = taken.filter(
      ({ N, r, p }) => N >= 2 ** (16 * r) || !Number.isInteger(Math.log2(N)) || r * p >= 2 ** 30,
    )
    expect(outside).toEqual([])
  })
})

describe('many passwords at once', () => {
  it('are checked a few at a time, in order of arrival, and one too many is asked to retry later', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const derive = async ({ words }: { words: string }) => {
      begun.push(words)
      await new Promise<void>((resolve) => ends.push(resolve))
      return Buffer.alloc(32)
    }
    const passwords = new Passwords(CHEAP, derive, { atOnce: 2, mostWaiting: 4 })
    const busy: boolean[] = []
    const asked = ['first', 'second', 'third', 'fourth'].map((words) => {
      busy.push(passwords.isBusy)
      return passwords.hash(words)
    })
    busy.push(passwords.isBusy)
    expect([begun, busy]).toEqual([
      ['first', 'second'],
      [false, false, false, false, true],
    ])
    for (const wanted of ['third', 'fourth']) {
      ends.shift()?.()
      await expect.poll(() => begun).toContain(wanted)
      expect(passwords.isBusy).toBe(false)
    }
    for (const end of ends) end()
    await Promise.all(asked)
    expect([begun, passwords.isBusy]).toEqual([['first', 'second', 'third', 'fourth'], false])
  })
})
