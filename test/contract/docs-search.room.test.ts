// What the search of the docs finds first, with every operation of a whole relay: what client developers type, and what they mean by it.
import { afterAll, expect, test } from 'vitest'
import { WholeRelay } from './whole-relay.ts'

const relay = await WholeRelay.start()
afterAll(() => relay.stop())
async function search(query: string): Promise<{ url: string; excerpt: string }[]> {
  const answer = await fetch(`${relay.url}/docs/search.json?q=${encodeURIComponent(query)}`)
  return ((await answer.json()) as { data: { url: string; excerpt: string }[] }).data
}
const urlsOf = async (query: string) => (await search(query)).map(({ url }) => url)

test.each([
  ['webhook', '/docs/webhooks'],
  ['Webhooks', '/docs/webhooks'],
  ['webhoks', '/docs/webhooks'],
  ['total', '/docs/guides/totals'],
  ['ticket', '/docs/tickets'],
  ['glossary', '/docs/glossary'],
  ['printer offline', '/docs/guides/printer-offline'],
  ['idempotency', '/docs/guides/idempotency-and-retries'],
  ['sdk', '/docs/guides/sdk'],
  ['the command line', '/docs/guides/command-line'],
  ['refund', '/docs/reference#refundOrder'],
  ['how do I void an order?', '/docs/reference#voidOrder'],
  ['order.refunded', '/docs/reference#event-order.refunded'],
  ['order.refund_exceeds_balance', '/docs/errors#order.refund_exceeds_balance'],
])('%s leads to %s first', async (query, url) => {
  expect((await urlsOf(query))[0]).toBe(url)
})

test.each([
  ['how do I void an order', '/docs/print-jobs#void-of-an-order'],
  ['cancel an order', '/docs/reference#voidOrder'],
  ['ngrok', '/docs/guides/command-line#webhooks-on-your-machine'],
  ['tunnel', '/docs/guides/command-line#webhooks-on-your-machine'],
  ['printer.offline', '/docs/errors#printer.offline'],
  ['rate limit', '/docs/keys-and-limits#rates'],
  ['sold out', '/docs/guides/menus#sold-out'],
])('%s leads to %s among the first three', async (query, url) => {
  expect((await urlsOf(query)).slice(0, 3)).toContain(url)
})

test('the first results of a word are no codes of errors, unless it is one', async () => {
  for (const query of ['order', 'webhook', 'printer', 'menu', 'refund', 'ticket', 'key', 'event'])
    expect((await urlsOf(query))[0]).not.toMatch(/^\/docs\/errors/)
})

test('an entry is there once, and its excerpt is prose, not code', async () => {
  for (const query of ['inject order', 'webhook secret', 'createServer', 'merchantId price']) {
    const found = await search(query)
    expect(new Set(found.map(({ url }) => url)).size).toBe(found.length)
    for (const { excerpt } of found) expect(excerpt).not.toMatch(/\bconst |\bimport \{|=> \{|curl -s/)
  }
})

test('a question of many words costs what its first six cost: the rest is not read', async () => {
  const six = 'order printer webhook total ticket key'
  expect(await search(`${six} key order men pri rec gat lis ref err`)).toEqual(await search(six))
})

test('a question of fillers alone, or of signs, finds nothing', async () => {
  expect([await search('how do I'), await search('?!'), await search('')]).toEqual([[], [], []])
})
