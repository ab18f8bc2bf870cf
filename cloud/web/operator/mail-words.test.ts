// Errors of mail in words.
import { expect, test } from 'vitest'
import { words as en } from '#cloud/web/messages/outbox-en.ts'
import { mailErrorWords } from './mail-words.ts'

test('an error of a mail server has what to check, with its number where it has one', () => {
  expect(mailErrorWords(en, 'timeout')).toBe('The mail server does not answer.')
  expect(mailErrorWords(en, 'smtp_535')).toBe('User or password of the mail server is wrong.')
  expect(mailErrorWords(en, 'smtp_450')).toBe('The mail server asks to wait. (450)')
  expect(mailErrorWords(en, 'smtp_550')).toBe('The mail server refuses this mail: the address, or the sender. (550)')
})

test('an error that a newer relay knows is shown unchanged', () => {
  expect(mailErrorWords(en, 'toString')).toBe('toString')
})
