// webhooks list, resend, recover, delete, and verify: endpoints, what was sent to them, and whether a request is from the relay.
import { durationMs, EXIT, LineError, text, texts, word } from '#shared/cli/command.ts'
import { readInput } from '#shared/cli/read-input.ts'
import { table } from '#shared/cli/terminal.ts'
import { toIso } from '#shared/clock.ts'
import { explain } from '#shared/sdk/webhooks.ts'
import type { Command } from './command.ts'
import { placeOf } from './delivery-words.ts'

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks list',
    usage: '',
    summary: 'Lists the endpoints of the merchant with their events and state',
    options: {},
    examples: ['', '--json'],
    run: async (line) => {
      const { data } = await line
        .client()
        .webhooks.list({ merchantId: await line.merchantId() })
        .page()
      const rows = data.map((endpoint) => {
        const { webhookId, events, status, failingSince, lastDeliveryAt } = endpoint
        return [webhookId, placeOf(endpoint), events, status, failingSince, lastDeliveryAt]
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
    summary: 'Sends a delivery once more; its schedule of retries does not change',
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
    summary: 'Sends everything again that failed at an endpoint',
    options: { since: { value: '<2h>', text: 'How far back, such as 30m or 2h; 336h at most', required: true } },
    examples: ['we_01jd3k5v8wz9x0y1a2b3c4d5e6 --since 2h'],
    run: async (line) => {
      const since = toIso(line.clock.now() - durationMs('since', text(line, 'since') ?? ''))
      const of = { merchantId: await line.merchantId(), since }
      const data = await line.client().webhooks.recover(word(line, 0), of)
      return { data, text: `${data.queued} deliveries since ${since} are sent again.` }
    },
  },
  {
    name: 'webhooks delete',
    usage: '<we_...>',
    summary: 'Deletes an endpoint; nothing more is sent to it',
    options: {},
    examples: ['we_01jd3k5v8wz9x0y1a2b3c4d5e6'],
    run: async (line) => {
      const webhookId = word(line, 0)
      await line.client().webhooks.delete(webhookId, { merchantId: await line.merchantId() })
      return { data: { webhookId, deleted: true }, text: `${webhookId} is deleted.` }
    },
  },
  {
    name: 'verify',
    usage: '',
    summary: 'Says which signature of a webhook request matches its body, or why none does; exit code 1 if none does',
    options: {
      'secret-file': { value: '<path>', text: 'A file with the whsec_... of the endpoint', required: true },
      header: { value: "<'Name: value'>", text: 'One header of the request; repeat it for each', repeats: true },
      body: { value: '<path>', text: 'The body as received, byte for byte; standard input by default' },
      'any-age': { text: 'Accepts a request that is older than five minutes' },
    },
    examples: [
      "--secret-file secret --header 'webhook-id: evt_...' --header 'webhook-timestamp: 1790000000' --header 'webhook-signature: v1,...' < body",
    ],
    run: async (line) => {
      const headers = Object.fromEntries(texts(line, 'header').map(headerOf))
      const secret = readInput(text(line, 'secret-file') ?? '')
        .toString('utf8')
        .trim()
      if (!secret.startsWith('whsec_'))
        throw new LineError('The file has no secret: a secret begins with whsec_.', EXIT.usage)
      const raw = readInput(text(line, 'body') ?? '-')
      const isOld = line.options['any-age'] === true
      const nowMs = isOld ? Number(headers['webhook-timestamp']) * 1_000 : line.clock.now()
      const verdict = await explain(raw, headers, { secret, nowMs, allowUndated: true })
      return verdict.isAuthentic
        ? { data: verdict, text: `The request is from the relay: ${verdict.by} matches.` }
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
