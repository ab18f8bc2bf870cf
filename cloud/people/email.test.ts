// Names of people and companies, which appear in mail to others.
import { expect, test } from 'vitest'
import { companyName, personName } from './email.ts'

const isName = (name: string) => personName.safeParse(name).success

test.each(['Ana', "Nina O'Brien-Núñez", '张伟', 'A/B Foods', 'Pizza.com', 'St. Mary: the café', 'محمد', 'Dr. No'])(
  '%s is a name',
  (name) => expect(isName(name)).toBe(true),
)

test.each([
  ['the address of a page', 'Your account ends today: https://evil.example'],
  ['a page without a scheme', 'Sign in at www.evil.example'],
  ['a path of a page', 'See evil.example/reset'],
  ['two lines', 'Ana\r\nBcc: bo@bistro.test'],
  ['letters turned round', 'Ana\u202egnp.exe'],
  ['half a character', 'Ana\ud800'],
])('%s is no name', (_what, name) => {
  expect(isName(name)).toBe(false)
  expect(companyName.safeParse(name).success).toBe(false)
})
