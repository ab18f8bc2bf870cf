// What is said of a real printer: nothing while it is well, and each change once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { watchPrinter } from './printer-watch.ts'

const stop = new AbortController()
let answer = ''
let asked: () => void = () => {}
const server = createServer((_, response) => {
  response.end(answer)
  asked()
})

beforeEach(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterEach(() => {
  stop.abort()
  server.close()
})

function status(state: string, hint: string): string {
  return JSON.stringify({ printers: [{ host: '10.0.0.9', port: 9_100, state, hint }] })
}

it('reports each change once, and nothing while all is well', async () => {
  const said: string[] = []
  const clock = new ManualClock()
  const states = [
    status('unknown', 'not reached yet'),
    status('online', 'ready'),
    status('offline', 'Nothing answers.'),
    status('offline', 'Nothing answers.'),
    'not json',
    status('offline', 'Paper is out.'),
    status('online', 'The printer is ready.'),
    status('online', 'Paper is nearly out.'),
  ]
  const done = new Promise<void>((resolve) => {
    asked = () => {
      const next = states.shift()
      if (next === undefined) resolve()
      else answer = next
    }
  })
  answer = states.shift() ?? ''
  const watch = watchPrinter(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    clock,
    say: (text) => said.push(text),
    signal: stop.signal,
  })
  let isDone = false
  void done.then(() => {
    isDone = true
  })
  const passTime = async (): Promise<boolean> => {
    await clock.advance(1_000)
    return isDone
  }
  await expect.poll(passTime, { interval: 5 }).toBe(true)
  stop.abort()
  await watch
  expect(said).toEqual([
    'Printer 10.0.0.9:9100: Nothing answers.',
    'Printer 10.0.0.9:9100: Paper is out.',
    'Printer 10.0.0.9:9100: The printer is ready.',
  ])
})
