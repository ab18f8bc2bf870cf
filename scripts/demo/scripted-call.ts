// The call of `npm start -- --call`: somebody asks a question and orders. Its hooks go over HTTP and are signed, so the whole path of a real call runs; both sides of the talk are shown.
import { hooksOf } from '#cloud/telephony/hook-address.ts'
import type { Turn } from '#cloud/telephony/simulated/simulated-call.ts'
import { type ExchangedHook, SimulatorPhone } from '#cloud/telephony/simulated/simulator-phone.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { PrintState } from '#shared/order.ts'
import { Ticketrail } from '#shared/sdk/client.ts'
import type { CallLine } from './call-line.ts'

export interface ScriptedCallDeps {
  cloudUrl: string
  line: CallLine
  apiKey: string
  merchantId: string
  clock: Clock
  say: (text: string) => void
  /** Ends it, wherever it is. */
  signal: AbortSignal
}

/** For fiction: whom it reaches is nobody. */
const CALLER = '+12025550142'
const SAID = ['Are you open on Sunday?', 'I would like two burgers and fries, please.', 'That is all.', 'Yes.']
const PRINT_LIMIT_MS = 30_000
const EVERY_MS = 100
/** What will not change by itself any more. */
const ENDS: readonly PrintState[] = ['printed', 'uncertain', 'failed', 'cancelled', 'none']

/** Says how it went, whatever it was. Rejects only with the signal's reason. */
export async function scriptedCall(deps: ScriptedCallDeps): Promise<void> {
  const { say, signal } = deps
  try {
    const sinceMs = deps.clock.now()
    await talk(deps)
    say(`\n${await outcome(deps, sinceMs)}\n`)
  } catch (error) {
    signal.throwIfAborted()
    say(`\nThe call was cut off: ${error instanceof Error ? error.message : String(error)}. Everything else runs on.\n`)
  }
}

async function talk({ cloudUrl, line, clock, say, signal }: ScriptedCallDeps): Promise<void> {
  const phone = new SimulatorPhone({
    telephony: line.telephony,
    clock,
    exchange: (hook) => post(hook, signal),
  })
  const shown = ({ heard, call }: Turn): Turn['call'] => {
    for (const one of heard) say(`  Receptionist  ${'say' in one ? one.say : '(plays a recording)'}`)
    return call
  }
  say(`A call to ${line.e164}. Its hooks are signed as those of a telephone company, and go over HTTP.\n`)
  let call = shown(
    await phone.dial({ hooks: hooksOf(cloudUrl, line.numberId), to: line.e164, from: CALLER, callerName: 'Ana' }),
  )
  for (const words of SAID) {
    if (call.place.now !== 'listens') break
    say(`  Caller        ${words}`)
    call = shown(await phone.say(call, words))
  }
  await phone.hangUp(call)
}

async function post(
  { url, headers, body }: ExchangedHook,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  return { status: answer.status, body: await answer.text() }
}

/** What became of the order, once the kitchen has it on paper or cannot have it. */
async function outcome(
  { cloudUrl, apiKey, merchantId, clock, signal }: ScriptedCallDeps,
  sinceMs: number,
): Promise<string> {
  const { orders } = new Ticketrail({ apiKey, baseUrl: cloudUrl, merchantId })
  const deadline = clock.monotonicMs() + PRINT_LIMIT_MS
  for (;;) {
    const { data } = await orders.list({ source: 'voice', from: toIso(sinceMs), limit: 1 }, { signal }).page()
    const [order] = data
    if (order === undefined)
      return 'The caller placed no order. In the dashboard, below Receptionist, Setup: the receptionist has to answer and to take orders.'
    if (order.printState === 'printed') return `Printed: order ${order.orderId} of this call is on paper.`
    if (ENDS.includes(order.printState) || clock.monotonicMs() > deadline)
      return `NOT printed: order ${order.orderId} of this call is accepted, and its ticket is ${order.printState}.`
    await clock.sleep(EVERY_MS, signal)
  }
}
