// Planted faults of the client of the API: what is tried again, and what is taken for a webhook of ours.
import { type Mutant, unit } from './mutant.ts'

export const SDK_MUTANTS: readonly Mutant[] = [
  {
    name: 'sdk-new-key-for-each-try',
    file: 'shared/sdk/call.ts',
    original: 'const init = requestInit(to, request, options)\n  for (let attempts = 1; ; attempts++) {',
    replacement: 'for (let attempts = 1; ; attempts++) {\n    const init = requestInit(to, request, options)',
    harm: 'A refund whose answer was lost is made twice.',
    tests: unit('shared/sdk/call.test.ts'),
  },
  {
    name: 'sdk-stored-order-is-an-error',
    file: 'shared/sdk/call.ts',
    original: "body.code === 'printer.offline' && (",
    replacement: "body.code === 'printer.offline!' && (",
    harm: 'An app tells its guest that an order failed which the kitchen gets.',
    tests: unit('shared/sdk/call.test.ts'),
  },
  {
    name: 'sdk-repeats-what-is-stored',
    file: 'shared/sdk/retry.ts',
    original: " && code !== 'printer.offline'",
    replacement: '',
    harm: 'A client asks again and again for what is stored, and its user waits.',
    tests: unit('shared/sdk/call.test.ts'),
  },
  {
    name: 'sdk-ignores-retry-after',
    file: 'shared/sdk/retry.ts',
    original: '(retryAfter ?? 0) * 1000',
    replacement: '(retryAfter ?? 0)',
    harm: 'Clients that are too fast come back at once, and all of their tries are refused.',
    tests: unit('shared/sdk/call.test.ts'),
  },
  {
    name: 'sdk-takes-captured-webhooks',
    file: 'shared/sdk/webhooks.ts',
    original: 'Math.abs(apart) > toleranceSeconds',
    replacement: 'apart < -toleranceSeconds',
    harm: 'Whoever has captured a webhook can send it again a year later.',
    tests: unit('shared/sdk/webhooks.test.ts'),
  },
  {
    name: 'sdk-id-leads-elsewhere',
    file: 'shared/sdk/client.ts',
    original: 'return encodeURIComponent(value as string)',
    replacement: 'return value as string',
    harm: 'An id from outside makes the client call another path with its key.',
    tests: unit('shared/sdk/call.test.ts'),
  },
]
