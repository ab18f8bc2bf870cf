// Try a call: what a person does at the simulated telephone goes to the relay's own hooks, signed as a telephone company does, so that the whole real path runs.

import { type CallState, callState } from '#cloud/receptionist/call-state.ts'
import { hooksOf, turnOf } from '#cloud/telephony/hook-address.ts'
import { type SimulatedCall, simulatedCall, type Turn } from '#cloud/telephony/simulated/simulated-call.ts'
import { NotNow, type SimulatorPhone } from '#cloud/telephony/simulated/simulator-phone.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { parseJson } from '#shared/parse-json.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { refuseBeyond } from './hourly-limit.ts'
import type { SimulateAnswer } from './number-list.ts'
import type { OperationInput } from './operations.ts'
import { requireSecretBox } from './secrets.ts'
import { noTelephones, onlySandbox } from './telephones.ts'

/** Of an account, within an hour. */
const MOST_CALLS = 60
/** For fiction: whom it reaches is nobody. */
const A_CALLER = '+12025550142'

type Act = OperationInput<'receptionist.simulate'>['act']

export const SIMULATE_HANDLERS: Pick<Handlers, 'receptionist.simulate'> = {
  'receptionist.simulate': {
    // Each hook has a unit of its own; one that is sent again is answered with the same bytes.
    alone: async (context, doing, { call, act }) => {
      const merchant = merchantOf(doing)
      if (merchant.environment !== 'sandbox') throw onlySandbox()
      const secretBox = requireSecretBox(context)
      const phone = context.running?.phone
      if (phone === undefined) throw noTelephones()
      refuseTooFast(context, doing)
      try {
        const before = act.do === 'dial' ? null : await current(context, opened(secretBox, call, merchant.key))
        const turn =
          before === null
            ? await dial(context, doing, act.do === 'dial' ? act.from : null)
            : await done(phone, before, act)
        return await answerOf(context, doing, turn)
      } catch (error) {
        if (!(error instanceof NotNow)) throw error
        throw new ControlRefusal('refused', 'The call is not there any more: it went on, or is over.', {
          said: { key: 'call.not-now' },
        })
      }
    },
  },
}

/** A person is not so fast, and each act is hooks, rows and perhaps a recording. */
function refuseTooFast({ running }: ControlContext, doing: Doing): void {
  const taken = running?.simulatedActs?.take(accountOf(doing))
  if (taken === undefined || taken.ok) return
  const { retryAfterSeconds: seconds } = taken
  throw new ControlRefusal('refused', `Calls are tried too fast: wait ${seconds} s.`, {
    said: { key: 'call.too-fast', values: { seconds } },
  })
}

/** An answer that was given earlier is worth nothing once the call went on. @throws NotNow */
async function current({ calls, secretBox }: ControlContext, call: SimulatedCall): Promise<SimulatedCall> {
  const row = await calls.byProvider(call.callId)
  if (row === null || row.ended_at !== null) throw new NotNow({ now: 'over', status: 'completed' })
  const { turn }: CallState = callState.parse(parseJson(secretBox?.open(row.state_enc) ?? ''))
  const { place } = call
  if (!('action' in place) || turnOf(place.action) !== String(turn)) throw new NotNow(place)
  return call
}

async function dial(context: ControlContext, doing: Doing, from: string | null): Promise<Turn> {
  const { phoneNumbers, callList, running, db } = context
  const phone = running?.phone
  const base = running?.receptionistUrl?.()
  if (phone === undefined || base === undefined) throw noTelephones()
  const numbers = await phoneNumbers.ofMerchant(merchantOf(doing).key)
  const number = numbers.find(({ provider, state }) => provider === 'simulator' && state === 'wired')
  if (number === undefined || number.e164 === null)
    throw new ControlRefusal('refused', 'This restaurant has no number for trying calls yet.', {
      said: { key: 'number.none-to-try' },
    })
  await db.unit((tx) =>
    refuseBeyond(tx, context, {
      accountId: accountOf(doing),
      most: MOST_CALLS,
      key: 'call.too-many-tries',
      words: `${MOST_CALLS} calls were tried`,
      count: (sinceMs) => callList.triedSince(tx, accountOf(doing), sinceMs),
    }),
  )
  return phone.dial({ hooks: hooksOf(base, number.id), to: number.e164, from: from ?? A_CALLER })
}

function done(phone: SimulatorPhone, call: SimulatedCall, act: Act): Promise<Turn> {
  switch (act.do) {
    case 'say':
      return phone.say(call, act.words)
    case 'press':
      return phone.press(call, act.digits)
    case 'quiet':
      return phone.stayQuiet(call)
    case 'message':
      return phone.leaveMessage(call, { seconds: act.seconds, text: act.words })
    case 'pick-up':
      return phone.pickUp(call)
    case 'person-ends':
      return phone.personEnds(call)
    default:
      return phone.hangUp(call)
  }
}

async function answerOf(context: ControlContext, doing: Doing, { heard, call }: Turn): Promise<SimulateAnswer> {
  const { key } = merchantOf(doing)
  const { place } = call
  const said = heard.flatMap((one) => ('say' in one ? [one] : []))
  return {
    call: requireSecretBox(context).seal(JSON.stringify({ merchant: key, call })),
    callId: await context.callList.idOf(key, call.callId),
    heard: said.map(({ say }) => say),
    language: said[0]?.language ?? 'en-US',
    now: place.now,
    takesDigits: place.now === 'listens' && place.digits !== 'none',
    to: 'to' in place ? place.to : null,
  }
}

/** @throws ControlRefusal when it is no call of this restaurant */
function opened(secretBox: SecretBox, sealed: string | null, merchantKey: string): SimulatedCall {
  const kept = sealed === null ? undefined : openedText(secretBox, sealed)
  const { merchant, call } = (parseJson(kept ?? '') ?? {}) as { merchant?: unknown; call?: unknown }
  const parsed = simulatedCall.safeParse(call)
  if (parsed.success && merchant === merchantKey) return parsed.data
  throw new ControlRefusal('invalid', 'This is no call that was answered here.', {
    errors: [{ field: 'call', message: 'must be the call of an earlier answer' }],
  })
}

function openedText(secretBox: SecretBox, sealed: string): string | undefined {
  try {
    return secretBox.open(sealed)
  } catch {
    return undefined
  }
}
