// Where the password of the mail server may go without TLS: over no network.
import { expect, test } from 'vitest'
import { mailServerOf } from './mail-address.ts'

test.each([
  ['smtp://me:secret@mail.example', true],
  // Its name begins as an address of this machine does.
  ['smtp://me:secret@127.mail.example', true],
  ['smtp://me:secret@127.0.0.1', false],
  ['smtp://me:secret@[::1]:2525', false],
  ['smtp://me:secret@localhost', false],
  ['smtp://mail.example', false],
])('%s waits for TLS before anything is sent: %s', (url, needsTls) => {
  expect(mailServerOf(url)).toMatchObject({ needsTls })
})
