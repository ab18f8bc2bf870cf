// Planted faults of text messages and of what customers hear when their order is ready.
import { type Mutant, unit } from './mutant.ts'

const WORKER = unit('cloud/texts/text-worker.test.ts')
const NEWS = unit('cloud/texts/take-text.test.ts')
const READY = unit('cloud/texts/tell-at-ready.test.ts')

export const TEXT_MUTANTS: readonly Mutant[] = [
  {
    name: 'texts-sends-again-what-may-have-left',
    file: 'cloud/texts/text-worker.ts',
    original: "return providerId === null ? { kind: 'uncertain', error }",
    replacement: "return providerId === null ? { kind: 'later', error }",
    harm: 'The answer of the telephone company is lost: the customer gets the same message again and again, and the restaurant pays for each.',
    tests: WORKER,
  },
  {
    name: 'texts-answer-overrules-news',
    file: 'cloud/storage/text-store.ts',
    original: '      isTold: sql`provider_id is not null`,\n',
    replacement: '',
    harm: 'The company has told that a message left, then its answer is "later": the customer gets it twice.',
    tests: NEWS,
  },
  {
    name: 'texts-news-of-a-stranger',
    file: 'cloud/storage/text-store.ts',
    original: "      .where('merchant_id', '=', merchantKey)\n      .forNoKeyUpdate()",
    replacement: '      .forNoKeyUpdate()',
    harm: 'A hook of one restaurant decides what became of a message of another.',
    tests: NEWS,
  },
  {
    name: 'texts-stop-comes-too-late',
    file: 'cloud/texts/text-worker.ts',
    original: '    if (progress.isOptedOut) return false\n',
    replacement: '',
    harm: 'Somebody writes STOP, and what waits is sent to them all the same.',
    tests: WORKER,
  },
  {
    name: 'texts-stop-counts-for-nothing',
    file: 'cloud/texts/write-text.ts',
    original: "  if (await texts.isOptedOut(merchant.key, toMac, tx)) return 'opted_out'\n",
    replacement: '',
    harm: 'Messages to people who want none look as if they were about to leave.',
    tests: READY,
  },
  {
    name: 'texts-sandbox-texts-the-world',
    file: 'cloud/texts/write-text.ts',
    original: "  return environment === 'sandbox' ? { state: 'kept', error: null } : null",
    replacement: '  return null',
    harm: 'Whoever signs up sends text messages to any number, at the cost of the operator.',
    tests: READY,
  },
]
