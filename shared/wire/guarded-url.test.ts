// Passwords go to TLS or stay on this machine.
import { expect, it } from 'vitest'
import { isGuardedUrl } from './guarded-url.ts'

it.each([
  ['https://relay.example', true],
  ['mqtts://10.0.0.5:8883', true],
  ['wss://relay.example/mqtt', true],
  ['mqtt://127.0.0.1:1883', true],
  ['ws://[::1]:8080/mqtt', true],
  ['http://LOCALHOST:8080', true],
  ['mqtt://relay.example', false],
  ['ws://192.168.1.5/mqtt', false],
  ['mqtt://127.0.0.1.evil.example', false],
  ['mqtt://localhost@evil.example', false],
  ['http://0.0.0.0', false],
  ['nonsense', false],
])('%s: %s', (url, isGuarded) => {
  expect(isGuardedUrl(url)).toBe(isGuarded)
})
