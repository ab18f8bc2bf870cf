// Claiming ports: a taken one is named together with its option.
import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { claimPort, findFreePort, isFree } from './free-port.ts'

let server: Server | null = null

afterEach(() => server?.close())

async function takenPort(): Promise<number> {
  const port = await findFreePort([])
  server = createServer()
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  return port
}

it('names the port and the option when the port is taken', async () => {
  const port = await takenPort()
  expect(await isFree(port)).toBe(false)
  await expect(claimPort(port, '--mqtt-port', [])).rejects.toThrow(`Port ${port} is already in use`)
  await expect(claimPort(port, '--mqtt-port', [])).rejects.toThrow(`--mqtt-port ${port + 10}`)
})

it('finds a free port outside of the range of outgoing connections, and none that is given already', async () => {
  const first = await claimPort(0, '--cloud-port', [])
  expect(first).toBeGreaterThanOrEqual(20_000)
  expect(first).toBeLessThan(32_768)
  const sequence = [(first - 20_000) / 12_000, 0.5]
  expect(await findFreePort([first], () => sequence.shift() ?? 0.7)).not.toBe(first)
})

it('keeps a wanted port that is free', async () => {
  const port = await findFreePort([])
  expect(await claimPort(port, '--cloud-port', [])).toBe(port)
})
