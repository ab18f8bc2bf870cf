// The box's wall clock jumps ten years ahead and back while orders come and others are held: nothing fires before its time, nothing is lost, nothing comes twice.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock, toIso } from '#shared/clock.ts'
import { inDrill } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'

const DEBIAN_ARCH = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
/** Debian's `libfaketime`: the wall clock of one program, told by a file, without touching that of the machine. */
const LIBRARY = `/usr/lib/${DEBIAN_ARCH}-linux-gnu/faketime/libfaketime.so.1`
const isThere = existsSync(LIBRARY)
if (!isThere) process.stderr.write('test/flows/wrong-clock.test.ts is skipped: apt-get install libfaketime\n')

const JUMPS = inDrill(['+3650d', '-3650d', '+0', '-3650d', '+3650d', '+0'], ['+3650d', '-3650d'])
const ORDERS = inDrill(30, 10)
const EVERY_MS = 60
/** The library reads its file again so often. */
const REREAD_SECONDS = 1
const AHEAD_MS = inDrill(6_000, 3_000)
/** The box knows the relay's time as well as a busy machine answers its hello. */
const EARLY_MS = 500
const SEED = drillSeed()

type How = 'running' | 'started anew, offline'

describe.runIf(isThere)(`a box whose clock jumps by ten years (DRILL_SEED=${SEED})`, () => {
  const kitchen = new JudgedKitchen(SEED)
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  const clockFile = join(folder, 'time')
  const setClock = (shift: string) => writeFileSync(clockFile, `${shift}\n`)

  beforeAll(async () => {
    setClock('+0')
    await kitchen.start({
      gatewayEnv: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clockFile,
        FAKETIME_CACHE_DURATION: String(REREAD_SECONDS),
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    })
  })
  afterAll(async () => {
    await kitchen.stop()
    rmSync(folder, { recursive: true })
  })

  it.each(inDrill<How[]>(['running', 'started anew, offline'], ['started anew, offline']))(
    'prints orders in flight and held ones, %s',
    async (how) => {
      const { site } = kitchen
      const held = new Map<string, number>()
      /** What a box had when it started ten years ahead: until it hears the relay it cannot know that this is not due yet, or not late. */
      const seemedDue = new Set<string>()
      const hold = async (): Promise<void> => {
        const fireAtMs = systemClock.now() + AHEAD_MS
        held.set(await kitchen.order({ fireAt: toIso(fireAtMs) }), fireAtMs)
      }
      for (const shift of JUMPS) {
        await hold()
        const orders = kitchen.orders(ORDERS, EVERY_MS)
        setClock(shift)
        await orders
        await hold()
        if (how === 'running') continue
        // On a busy machine the last one may be due before the box has it, and then another one is held.
        const stillHeld = async (): Promise<number> => {
          const { queue } = await site.gatewayStatus()
          if (queue.held === 0 && Math.max(...held.values()) < systemClock.now()) await hold()
          return queue.held
        }
        await expect.poll(stillHeld).toBeGreaterThan(0)
        await Promise.all([site.gateway.kill('SIGKILL'), site.cloud.kill('SIGKILL')])
        if (shift.startsWith('+3')) for (const token of kitchen.unprinted()) seemedDue.add(token)
        await site.startGateway()
        await site.startCloud()
        // A box that has not heard the relay yet believes the next jump, and prints LATE.
        await expect.poll(async () => (await site.gatewayStatus()).link.state).toBe('connected')
      }
      await kitchen.untilQuiet()
      setClock('+0')
      for (const [token, fireAtMs] of held) {
        if (seemedDue.has(token)) continue
        const ticket = kitchen.tickets.find((it) => it.text().includes(`order ${token}\n`))
        expect(ticket?.receivedAtMs).toBeGreaterThanOrEqual(fireAtMs - EARLY_MS)
      }
      const { wrongTexts, ...judgement } = kitchen.judge()
      const wrong = wrongTexts.filter(({ token }) => !seemedDue.has(token))
      expect({ ...judgement, wrongTexts: wrong }).toEqual(NOTHING_WRONG)
    },
  )
})
