// A process of callers at simulated telephones, so that what they cost does not fall on whoever measures. Told what to do by its parent, through IPC.
import { Pool } from 'undici'
import { SimulatedTelephony } from '#cloud/telephony/simulated/simulated-telephony.ts'
import { type ExchangedHook, SimulatorPhone } from '#cloud/telephony/simulated/simulator-phone.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { systemClock } from '#shared/clock.ts'

/** What the parent sends first. */
export interface CallersStart {
  /** Of the relay. */
  url: string
  /** The address of the number's hooks, without a step. */
  hooks: string
  to: string
  /** The relay's, in base64: the simulated company signs with it. */
  masterKey: string
  /** For recordings, of which these callers make none. */
  folder: string
  callers: number
}

/** What it asks for later, one at a time; each is answered with `Heard`, and counting begins again. `hang-up`: when all calls are over. */
export type CallersAsk = 'heard' | 'hang-up'

export interface CallsHeard {
  /** Milliseconds of each hook that a caller waits for. */
  turns: number[]
  /** Calls that were ended by their caller after the whole conversation. */
  calls: number
  /** Those in which the order was not placed, or a hook got another answer than 2xx. */
  failed: number
}

/** From one thing that a caller says to the next: they hear the answer and speak. */
const PAUSE_MS = { least: 3_000, most: 6_000 }
const TALK = ['Where can I park?', 'I would like to order two smash burgers and a coffee', "that's all", 'yes']
const PLACED = 'your order is placed'

let isOver = false
let heard: CallsHeard = { turns: [], calls: 0, failed: 0 }

async function call(phone: SimulatorPhone, number: { hooks: string; to: string; from: string }): Promise<void> {
  let turn = await phone.dial(number)
  for (const words of TALK) {
    await pause()
    if (turn.call.place.now !== 'listens') break
    turn = await phone.say(turn.call, words)
  }
  const isPlaced = turn.heard.some((one) => 'say' in one && one.say.includes(PLACED))
  await pause()
  await phone.hangUp(turn.call)
  heard.calls++
  if (!isPlaced) heard.failed++
}

function pause(): Promise<void> {
  return systemClock.sleep(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least))
}

async function begin({ url, hooks, to, masterKey, folder, callers }: CallersStart): Promise<void> {
  const box = new SecretBox(Buffer.from(masterKey, 'base64'))
  const telephony = new SimulatedTelephony({
    ...{ folder, transcribes: false, isTaken: async () => false },
    seal: (text) => box.seal(text),
    open: (sealed) => box.open(sealed),
    mac: (purpose, text) => box.mac(purpose, text),
  })
  // As many as a telephone company keeps open.
  const pool = new Pool(url, { connections: 64, pipelining: 1 })
  const exchange = async (hook: ExchangedHook): Promise<{ status: number; body: string }> => {
    const { pathname, search } = new URL(hook.url)
    const sentAt = performance.now()
    const { headers, body } = hook
    const answer = await pool.request({ method: 'POST', path: pathname + search, headers, body })
    const text = await answer.body.text()
    if (!pathname.endsWith('/status')) heard.turns.push(performance.now() - sentAt)
    if (answer.statusCode >= 300) heard.failed++
    return { status: answer.statusCode, body: text }
  }
  const phone = new SimulatorPhone({ telephony, exchange, clock: systemClock })
  const keepCalling = async (n: number): Promise<void> => {
    const from = `+1212556${String(n).padStart(4, '0')}`
    await pause()
    while (!isOver) await call(phone, { hooks, to, from })
  }
  await Promise.all(Array.from({ length: callers }, (_, n) => keepCalling(n)))
  await pool.close()
}

let running: Promise<void> = Promise.resolve()
process.on('message', async (message: CallersStart | CallersAsk) => {
  if (typeof message === 'object') {
    isOver = false
    running = begin(message)
    return
  }
  isOver ||= message === 'hang-up'
  if (message === 'hang-up') await running
  process.send?.(heard)
  heard = { turns: [], calls: 0, failed: 0 }
})
process.on('disconnect', () => process.exit())
