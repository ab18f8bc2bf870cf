// webhooks list, resend, recover, and verify: endpoints, what was sent to them, and whether a request is really the relay's.
import { durationMs, EXIT, LineError, text, texts, word } from '#shared/cli/command.ts'
import { readInput } from '#shared/cli/read-input.ts'
import { table } from '#shared/cli/terminal.ts'
import { toIso } from '#shared/clock.ts'
import { explain } from '#shared/sdk/webhooks.ts'
import type { Command } from './command.ts'

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    usage: '',
    summary: 'All endpoints of the merchant, with what they hear and how they stand',
    options: {},
    examples: ['', '--json'],
    run: async (line) => {
      const { data } = await line
        .client()
        .webhooks.list({ merchantId: await line.merchantId() })
        .page()
      const rows = data.map(({ webhookId, url, events, status, failingSince, lastDeliveryAt }) => {
        return [webhookId, url, events, status, failingSince, lastDeliveryAt]
      })
      return {
        data,
        text: table(['id', 'url', 'events', 'state', 'failing since', 'last'], rows, 'No endpoint yet.'),
      }
    },
  },
  {
    name: 'webhooks resend',
    usage: '<dlv_...>',
    summary: 'Makes one more attempt of a delivery; its schedule goes on as it was',
    options: {},
    examples: ['dlv_01jd3k5v8wz9x0y1a2b3c4d5e6'],
    run: async (line) => {
      const data = await line.client().deliveries.redeliver(word(line, 0), { merchantId: await line.merchantId() })
      return { data, text: `${data.deliveryId}  ${data.type}  ${data.state}, ${data.attempts} attempts so far` }
    },
  },
  {
    name: 'webhooks recover',
    usage: '<we_...>',
    summary: 'Sends again everything that failed at an endpoint',
    options: { since: { value: '<2h>', text: 'How far back: 30m, 2h, 336h at most', required: true } },
    examples: ['we_01jd3k5v8wz9x0y1a2b3c4d5e6 --since 2h'],
    run: async (line) => {
      const since = toIso(line.clock.now() - durationMs('since', text(line, 'since') ?? ''))
      const of = { merchantId: await line.merchantId(), since }
      const data = await line.client().webhooks.recover(word(line, 0), of)
      return { data, text: `${data.queued} deliveries since ${since} are sent again.` }
    },
  },
  {
    name: 'verify',
    usage: '',
    summary: 'Says which signature of a webhook request fits its body, or why none does; exit code 1 for none',
    options: {
      'secret-file': { value: '<path>', text: 'A file with the whsec_... of the endpoint', required: true },
      header: { value: "<'Name: value'>", text: 'One header of the request; once for each', repeats: true },
      body: { value: '<path>', text: 'The bytes as they came; standard input without it' },
      'any-age': { text: 'Takes a request that is older than five minutes' },
    },
    examples: ["--secret-file secret --header 'webhook-id: evt_1' --header 'webhook-timestamp: 1790000000' < body"],
    run: async (line) => {
      const headers = Object.fromEntries(texts(line, 'header').map(headerOf))
      const secret = readInput(text(line, 'secret-file') ?? '')
        .toString('utf8')
        .trim()
      if (!secret.startsWith('whsec_'))
        throw new LineError('The file holds no secret: it begins with whsec_.', EXIT.usage)
      const raw = readInput(text(line, 'body') ?? '-')
      const isOld = line.options['any-age'] === true
      const nowMs = isOld ? Number(headers['webhook-timestamp']) * 1_000 : line.clock.now()
      const verdict = await explain(raw, headers, { secret, nowMs, allowUndated: true })
      return verdict.isAuthentic
        ? { data: verdict, text: `It is the relay's: ${verdict.by} fits.` }
        : { data: verdict, text: verdict.reason, exitCode: EXIT.failed }
    },
  },
]

/** @throws LineError */
function headerOf(typed: string): [string, string] {
  const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(typed) ?? []
  if (name === '') throw new LineError(`--header "${typed}" must be 'Name: value'`, EXIT.usage)
  return [name.toLowerCase(), value]
}
