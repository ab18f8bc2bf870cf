// The command line's message for a refused operation: the operation's own message, with the command that helps.
import type { ControlRefusal } from '#cloud/control/control-refusal.ts'

type Values = Readonly<Record<string, string | number>>

/** By the key of the refusal. */
const WORDS: Readonly<Record<string, (message: string, values: Values) => string>> = {
  'account.unknown': (message) => `${message} \`accounts list\` shows all.`,
  'key.unknown': (message) => `${message} \`keys list --account ...\` shows those of an account.`,
  'key.ended': (message) => message.replace('Make a new one.', 'Make a new one with `keys create`.'),
  'key.not-live': (message, { accountId }) => `${message} First: accounts approve --account ${accountId} --plan ...`,
  'merchant.unknown': (message) => `${message} \`merchants list\` shows all.`,
  'merchant.several': (_message, { merchantId }) =>
    `Each sandbox account has its own ${merchantId}: say which one with --account.`,
  'account.not-live': (message, { accountId }) =>
    `${message} First: accounts approve --account ${accountId} --plan ...`,
  'channel.fails': () => 'Only a simulated channel can be told to fail: add --connector simulated.',
  'channel.no-url': () => 'An http channel needs --url: where it is told.',
  'gateway.one-password': () =>
    'The broker at CLOUD_BROKER_URL knows one password a gateway, so two cannot be good at once. For another one make a code (`gateways code`), then unpair the box and pair it with that: its tickets stay, and its former self ends by itself.',
  'gateway.over-plan': (message) => `${message} \`plans set --gateways\` allows more by contract.`,
  'merchant.id-taken': (_message, { merchantId }) => `${merchantId} is taken: choose another --id, or leave it out.`,
  'merchant.nothing': () => 'Nothing to change: name at least one option.',
  'plan.over': (message) => `${message} \`plans set\` changes plan or contract.`,
  'pos.url': (message) => `--url: ${message}`,
  'printer.unknown-printer': (message) => `${message} \`printers list\` shows them.`,
  'plan.not-live': (_message, { accountId, plan }) =>
    `${accountId} is not approved for live: use \`accounts approve --plan ${plan}\`.`,
  'plan.nothing': () => 'Nothing to change: name at least one option. `accounts show` has what stands.',
}

export function refusalWords({ kind, message, errors, said }: ControlRefusal): string {
  if (said !== null) return WORDS[said.key]?.(message, said.values ?? {}) ?? message
  if (kind === 'invalid') return errors.map(({ field, message: words }) => `${field}: ${words}`).join('\n')
  return message
}
