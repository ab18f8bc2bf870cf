// The examples of the reference: each is sent to the whole relay as it stands, and what comes back is what the document says.
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curlOf, exampleUrl } from '#cloud/api/openapi/curl.ts'
import { DESCRIBED_OPERATIONS } from '#cloud/api/openapi/descriptions.ts'
import { EXAMPLES } from '#cloud/api/openapi/examples.ts'
import { GIVEN } from './given.ts'
import { WholeRelay } from './whole-relay.ts'

const relay = await WholeRelay.start()
const receiver = createServer((_request, response) => response.writeHead(204).end())
let hookUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await relay.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const operations = Object.entries(relay.document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
  })),
)
// The item is silenced before it is restored, and stands as it was at the end.
operations.sort((a, b) => Object.keys(EXAMPLES).indexOf(a.name) - Object.keys(EXAMPLES).indexOf(b.name))

describe.each(operations)('the example of $name', ({ name, method, path }) => {
  test('succeeds as the document says', async () => {
    const example = EXAMPLES[name] ?? {}
    const params = (await GIVEN[name]?.(relay, hookUrl)) ?? {}
    for (const part of path.matchAll(/\{(\w+)\}/g))
      expect(params, 'test/contract/given.ts').toHaveProperty(part[1] ?? '')
    // Nothing is sent out of this machine.
    const body = JSON.stringify(example.body)?.replace(/https:\/\/kiosk\.example\.com[^"]*/, hookUrl)
    const since = body?.replace(/"since":"[^"]*"/, `"since":"${new Date(Date.now() - 3_600_000).toISOString()}"`)
    const key = path === '/v1/keys/revoke' ? relay.spareKey : relay.account.apiKey
    const answer = await relay.call({
      method,
      path: exampleUrl(path, { ...example, params }),
      key,
      ...(since === undefined ? {} : { body: since }),
    })
    expect(relay.faultsOf(answer)).toEqual([])
    expect(answer.status, answer.text).toBeLessThan(300)
  })

  test('is a command line that a shell takes apart as meant', () => {
    const example = EXAMPLES[name] ?? {}
    const script = `curl() { printf '%s\\0' "$@"; }\n${curlOf('http://relay.example', method, path, example)}`
    const words = execFileSync('/bin/sh', ['-c', script], {
      encoding: 'utf8',
      env: { TICKETRAIL_KEY: 'sk_sandbox_1' },
    }).split('\0')
    expect(words).toContain(`http://relay.example${exampleUrl(path, example)}`)
    expect(words).toContain('Authorization: Bearer sk_sandbox_1')
    const body = words[words.indexOf('-d') + 1] ?? ''
    if (example.body !== undefined) expect(JSON.parse(body)).toEqual(example.body)
  })
})

test('examples and prose are about operations that exist', () => {
  const names = operations.map((one) => one.name)
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([])
  expect(DESCRIBED_OPERATIONS.filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(GIVEN).filter((name) => !names.includes(name))).toEqual([])
})
