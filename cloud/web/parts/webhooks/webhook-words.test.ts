// Names of endpoints in lists and choices.
import { expect, test } from 'vitest'
import { words } from '#cloud/web/messages/webhooks-en.ts'
import { endpointName } from './webhook-words.ts'

test.each([
  ['an address', { kind: 'url', url: 'https://a.test/in', description: null }, 'https://a.test/in'],
  ['its own words', { kind: 'url', url: 'https://a.test/in', description: 'Shop' }, 'Shop'],
  ['a listener without a label', { kind: 'listener', url: 'listener:', description: null }, 'Listener'],
  ['a listener with one', { kind: 'listener', url: 'listener:', description: 'laptop' }, 'laptop'],
  ['the inspector', { kind: 'inspector', url: 'inspector:', description: null }, 'Inspector'],
] as const)('an endpoint is called by %s', (_name, endpoint, name) => {
  expect(endpointName(endpoint, words)).toBe(name)
})
