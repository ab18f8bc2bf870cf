// A copied card with open tickets in a second box that has a printer of its own: over the paper of both, nothing stands there twice without a mark, and the rightful box goes on.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { inDrill } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { Program } from '#test/harness/program.ts'
import { drillSeed } from '#test/harness/random.ts'

const ORDERS = 4
const SEED = drillSeed()
const kitchen = new JudgedKitchen(SEED)
let clone: Program
let cloneUrl = ''
let clones = 0

beforeAll(() => kitchen.start())
afterAll(() => kitchen.stop())
afterEach(async () => {
  await kitchen.printer.listenAgain()
  const { site } = kitchen
  await clone.kill('SIGKILL')
  for (const name of ['cloud', 'gateway'] as const) await site[name].kill('SIGKILL')
  await site.startCloud()
  await site.startGateway()
})

type Case =
  | 'both start beside the relay'
  | 'both start offline'
  | 'only the copy starts'
  | 'the copy starts beside the box'
const CASES: Case[] = inDrill<Case[]>(
  ['both start beside the relay', 'both start offline', 'only the copy starts', 'the copy starts beside the box'],
  ['both start offline'],
)

describe(`a copied card with open tickets (DRILL_SEED=${SEED})`, () => {
  it.each(CASES)('prints nothing twice unmarked: %s', async (how) => {
    const { site } = kitchen
    await kitchen.printer.refuse()
    const tokens: string[] = []
    for (let n = 0; n < ORDERS; n++) tokens.push(await kitchen.order())
    await queued(site.gatewayUrl, ORDERS)
    await site.gateway.kill('SIGTERM')
    await copyCard()
    await kitchen.printer.listenAgain()

    if (how === 'both start offline') await site.cloud.kill('SIGKILL')
    if (how === 'both start beside the relay' || how === 'both start offline') {
      await Promise.all([startClone(), site.startGateway()])
    } else {
      // What the copy has open is on the rightful box's paper before the copy hears a welcome.
      await site.startGateway()
      for (const token of tokens) await kitchen.told(token)
      if (how === 'only the copy starts') await site.gateway.kill('SIGTERM')
      await startClone()
    }
    await queued(cloneUrl, 0)
    if (how === 'only the copy starts') {
      await clone.kill('SIGKILL')
      await site.startGateway()
    }
    await queued(site.gatewayUrl, 0)
    if (how === 'both start offline') await site.startCloud()
    for (const token of tokens) await kitchen.told(token)
    // Whoever has the place prints it.
    await kitchen.told(await kitchen.order())
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
  })
})

function queued(url: string, count: number): Promise<void> {
  return expect
    .poll(async () => {
      const response = await fetch(`${url}/api/status`)
      return ((await response.json()) as { queue: { queued: number } }).queue.queued
    })
    .toBe(count)
}

/** The whole card, with whatever the box keeps beside its data. Another place in the file system is another machine. */
async function copyCard(): Promise<void> {
  const card = join(kitchen.site.dir, `clone-${++clones}`)
  for (const folder of ['gateway', 'proof']) {
    const from = join(kitchen.site.dir, folder)
    if (existsSync(from)) cpSync(from, join(card, folder), { recursive: true })
  }
  const printer = new VirtualPrinter()
  kitchen.others.push(printer)
  const { host, port } = await printer.start()
  clone = new Program(
    'gateway/main.ts',
    {
      GATEWAY_DATABASE: join(card, 'gateway/gateway.db'),
      GATEWAY_PAIRING_FILE: join(card, 'gateway/pairing.json'),
      GATEWAY_PROOF_FOLDER: join(card, 'proof'),
      GATEWAY_PRINTERS: `kitchen=${host}:${port}`,
      GATEWAY_HTTP_PORT: '0',
    },
    false,
  )
}

async function startClone(): Promise<void> {
  cloneUrl = (await clone.start()).httpUrl
}
