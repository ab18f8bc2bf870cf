// Planted faults of the telephone companies: hooks that are believed, TwiML, numbers that cost money.
import { type Mutant, rooms, unit } from './mutant.ts'

const SIGNATURE = unit('cloud/telephony/twilio/signature.test.ts')
const FORM = unit('cloud/telephony/twilio/read-hook.test.ts')
const TWIML = unit('cloud/telephony/twilio/twiml.test.ts')
const API = rooms('cloud/telephony/twilio/twilio.room.test.ts')
const TELNYX = rooms('cloud/telephony/telnyx/telnyx.room.test.ts')
const PHONE = unit('cloud/telephony/simulated/simulator-phone.test.ts')
const NUMBERS = rooms('cloud/receptionist/wire-numbers.room.test.ts')

export const TELEPHONY_MUTANTS: readonly Mutant[] = [
  {
    name: 'telephony-any-account-is-ours',
    file: 'cloud/telephony/twilio/signature.ts',
    original: 'return accounts.length === 1 && accounts[0]?.[1] === account',
    replacement: 'return accounts.length > 0',
    harm: 'Another account that the token may sign for answers calls in the name of a restaurant.',
    tests: SIGNATURE,
  },
  {
    name: 'telephony-only-one-form-of-the-port',
    file: 'cloud/telephony/twilio/signature.ts',
    original: 'const isSigned = withAndWithoutPort(request.url).reduce(',
    replacement: 'const isSigned = [request.url].reduce(',
    harm: 'Every call is refused once the company signs the address with its port.',
    tests: SIGNATURE,
  },
  {
    name: 'telephony-turns-are-all-the-same',
    file: 'cloud/telephony/twilio/read-hook.ts',
    original: 'return aboutCall(form.CallSid, turn.parse(turnOf(url)), inputOf(form, markOf(url)))',
    replacement: "return aboutCall(form.CallSid, '1', inputOf(form, markOf(url)))",
    harm: 'The second thing that a caller says is taken for a repetition of the first.',
    tests: FORM,
  },
  {
    name: 'telephony-words-become-verbs',
    file: 'cloud/telephony/twilio/twiml.ts',
    original: "  '<': '&lt;',\n",
    replacement: '',
    harm: 'Somebody names a dish so that callers are connected to a number that costs ten dollars a minute.',
    tests: TWIML,
  },
  {
    name: 'telephony-a-control-character-ends-the-call',
    file: 'cloud/telephony/twilio/twiml.ts',
    original: "replace(/[\\p{Cc}\\p{Zl}\\p{Zp}\\u{fffe}\\u{ffff}]+/gu, ' ')",
    replacement: "replace(/[\\p{Zl}\\p{Zp}]+/gu, ' ')",
    harm: 'A greeting that was pasted from a document makes every answer unreadable for the company.',
    tests: TWIML,
  },
  {
    name: 'telephony-a-lost-answer-counts-as-not-sent',
    file: 'cloud/telephony/provider-api.ts',
    original: 'isUncertain: changes && course.isWritten })',
    replacement: 'isUncertain: false })',
    harm: 'A guest gets the same text message again and again while answers are lost.',
    tests: API,
  },
  {
    name: 'telephony-buys-without-looking',
    file: 'cloud/telephony/twilio/twilio.ts',
    original: 'if (earlier !== null && earlier.friendly_name === name) return',
    replacement: 'if (earlier?.friendly_name === hooks) return',
    harm: 'Each lost answer buys another number, which is paid for each month.',
    tests: NUMBERS,
  },
  {
    name: 'telephony-takes-a-number-from-another-restaurant',
    file: 'cloud/telephony/twilio/twilio.ts',
    original: 'if (OURS.test(owned.friendly_name))',
    replacement: 'if (OURS.test(owned.sid))',
    harm: "A restaurant types another's number, and gets its calls.",
    tests: API,
  },
  {
    name: 'telephony-stale-hooks-are-fresh',
    file: 'cloud/telephony/telnyx/signature.ts',
    original: '<= FRESH_MS',
    replacement: '<= FRESH_MS * 1_000',
    harm: 'A hook that was copied from a log is believed for days.',
    tests: TELNYX,
  },
  {
    name: 'telephony-the-simulator-asks-anybody',
    file: 'cloud/telephony/simulated/simulator-phone.ts',
    original: 'if (!url.startsWith(',
    replacement: "if (url === '' && !url.startsWith(",
    harm: 'Whoever changes a call that rests in a browser makes the relay sign and send requests to any address.',
    tests: PHONE,
  },
  {
    name: 'telephony-a-crash-leaves-a-number-for-ever',
    file: 'cloud/storage/phone-number-store.ts',
    original: 'next_at: untilMs,',
    replacement: 'next_at: null,',
    harm: 'A relay dies while it wires a number, and nobody ever goes on: the number is paid for and not answered.',
    tests: NUMBERS,
  },
]
