// `npm start -- --call`: its call is printed. The command line as it names it must reach the demo that printed the line, and no other relay.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), "ticketrail demo's-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Variables of another relay, which a developer may have set. */
let askedElsewhere = 0
const elsewhere = createServer((_request, response) => {
  askedElsewhere++
  response.writeHead(500).end()
}).listen(0, '127.0.0.1')
await once(elsewhere, 'listening')
afterAll(() => elsewhere.close())
const env = {
  ...process.env,
  HOME: folder,
  INIT_CWD: undefined,
  TICKETRAIL_URL: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
  TICKETRAIL_API_KEY: 'sk_sandbox_of_another_relay',
  TICKETRAIL_MERCHANT: 'M-TEST-ELSEWHERE',
}

function ran(shellLine: string): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', shellLine], { cwd: ROOT, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

/** Resolves with what `npm start` has said when the text fits, and stops it at the end. */
async function demoOf(data: string, until: RegExp): Promise<{ said: string; stop: () => Promise<void> }> {
  const ports = ['--cloud-port', '--gateway-port', '--mqtt-port'].flatMap((option) => [option, '0'])
  const child = spawn(process.execPath, ['scripts/demo.ts', '--data', data, '--call', ...ports], { cwd: ROOT, env })
  const ended = once(child, 'exit')
  let said = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += chunk
    if (until.test(said)) break
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { said, stop }
}

describe('the line that npm start prints', () => {
  it('sends an order to this demo, although variables name another relay, and to none once the demo has ended', async () => {
    const data = join(folder, 'second demo')
    const demo = await demoOf(data, /printed: order|cut off|no order/i)
    const line = /^ {2}(.*ticketrail -- inject)$/m.exec(demo.said)?.[1] ?? 'false'
    try {
      // It was asked for: a call comes first, and is heard by the receptionist of this demo.
      expect(demo.said).toContain('  Receptionist  Thank you for calling Café Señorita.')
      expect(demo.said).toMatch(/Caller {8}Are you open on Sunday\?\n {2}Receptionist {2}Yes, we are open every day/)
      expect(demo.said).toMatch(/│ 2 {3}Smash Burger(?:.|\n)*\nPrinted: order call:/)
      expect(await ran(`${line} --json`)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/"merchantId": "M-TEST-001"(?:.|\n)*"status": "accepted"/),
        err: '',
      })
    } finally {
      await demo.stop()
    }
    expect(await ran(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('No demo runs with') })
    expect(askedElsewhere).toBe(0)
  })

  it('is refused for a folder without a demo, before anything is asked', async () => {
    const { code, err } = await ran(`TICKETRAIL_DEMO='${tmpdir()}/none' node scripts/ticketrail.ts inject`)
    expect([code, err]).toEqual([2, expect.stringContaining(`${tmpdir()}/none`)])
    expect(askedElsewhere).toBe(0)
  })
})
