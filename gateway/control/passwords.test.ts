// Stored hashes whose costs cannot be: each is a password that nobody has, and never a fault of the box.
import { describe, expect, it } from 'vitest'
import { isPasswordHash, Passwords, type ScryptCost, scryptKey } from './passwords.ts'

const CHEAP = { N: 16, r: 1, p: 1 }
const SALT = Buffer.alloc(16, 7).toString('base64url')
const KEY = Buffer.alloc(32, 7).toString('base64url')
const withCosts = (costs: string, key = KEY): string => `scrypt$${costs}$${SALT}$${key}`

/** What a damaged card, or somebody with a tampered file, may leave there. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'N that is no power of two': withCosts('33000$8$1'),
  'N of 1': withCosts('1$8$1'),
  'N of 0': withCosts('0$8$1'),
  'p of 0': withCosts('32768$8$0'),
  'r of 0': withCosts('32768$0$1'),
  'more memory than the box has': withCosts('1048576$64$1'),
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
})
