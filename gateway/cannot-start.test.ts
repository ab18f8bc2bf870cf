// Which failures of a start a person can fix, and that each message says what to change.
import { expect, it } from 'vitest'
import { DatabaseInUseError } from '#gateway/storage/database.ts'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'
import { CannotStart, whyNotStarted } from './cannot-start.ts'

const PLACES = { GATEWAY_DATABASE: '/data/gateway.db', GATEWAY_HTTP_HOST: '0.0.0.0', GATEWAY_HTTP_PORT: 8080 }

it.each([
  [
    'its port',
    Object.assign(new Error('listen'), { code: 'EADDRINUSE' }),
    /^port 8080 on 0\.0\.0\.0 .*GATEWAY_HTTP_PORT/,
  ],
  ['its database', new DatabaseInUseError('busy'), /^the database \/data\/gateway\.db .*GATEWAY_DATABASE/],
  ['its socket', new LocalSocketInUse('set GATEWAY_CONTROL_SOCKET'), /^set GATEWAY_CONTROL_SOCKET$/],
])('%s is in use: it says what to change, and keeps the cause', (_, cause, message) => {
  const told = whyNotStarted(cause, PLACES)
  expect(told).toBeInstanceOf(CannotStart)
  expect(told).toMatchObject({ message: expect.stringMatching(message), cause })
})

it('any other failure stays as it is, so that the next start tries again', () => {
  const failure = Object.assign(new Error('read'), { code: 'EIO' })
  expect(whyNotStarted(failure, PLACES)).toBe(failure)
})
