// Resolving webhook hosts: a name server that does not answer blocks no thread that other lookups need.
import { createSocket, type Socket } from 'node:dgram'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostResolver, type Resolve } from './resolve-host.ts'

type Answer = 'silence' | 'unknown' | { a?: string }

let server: Socket
/** The system's current name servers. */
let servers: () => string[]
let answers: Map<string, Answer>
/** Queries to the system's resolver, in order, with a function to answer each. */
let asked: { hostname: string; answer: (address: string) => void }[]
const system: Resolve = (hostname) =>
  new Promise((resolve) => asked.push({ hostname, answer: (address) => resolve([{ address, family: 4 }]) }))

beforeEach(async () => {
  answers = new Map()
  asked = []
  server = createSocket('udp4')
  server.on('message', (question, from) => {
    const reply = replyTo(question)
    if (reply) server.send(reply, from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  servers = () => [`127.0.0.1:${server.address().port}`]
})
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

/** RFC 1035: repeats the question, with NXDOMAIN, no answer, or one A record. */
function replyTo(question: Buffer): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = question.readUInt16BE(at + 1)
  const answer = answers.get(labels.join('.').toLowerCase()) ?? 'unknown'
  if (answer === 'silence') return null
  const reply = Buffer.from(question.subarray(0, at + 5))
  reply.writeUInt16BE(answer === 'unknown' ? 0x8183 : 0x8180, 2)
  reply.fill(0, 6, 12)
  if (answer === 'unknown' || answer.a === undefined || type !== 1) return reply
  reply.writeUInt16BE(1, 6)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...answer.a.split('.').map(Number)])
  return Buffer.concat([reply, record])
}

describe('a host name', () => {
  it('is resolved by the name server, without the system’s resolver', async () => {
    answers.set('hooks.example', { a: '93.184.216.34' })
    expect(await hostResolver({ servers, system })('hooks.example')).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(asked).toEqual([])
  })

  it('that the name server does not have is resolved by the system: it may be in its hosts file', async () => {
    const found = hostResolver({ servers, system })('till.local.test')
    await expect.poll(() => asked.map(({ hostname }) => hostname)).toEqual(['till.local.test'])
    asked[0]?.answer('127.0.0.1')
    expect(await found).toEqual([{ address: '127.0.0.1', family: 4 }])
  })

  it.each(['localhost', 'LOCALHOST', 'hooks.localhost'])(
    "%s is the system's own, whatever the name server does",
    async (name) => {
      answers.set(name.toLowerCase(), 'silence')
      const found = hostResolver({ servers, system })(name)
      expect(asked.map(({ hostname }) => hostname)).toEqual([name])
      asked[0]?.answer('127.0.0.1')
      expect(await found).toEqual([{ address: '127.0.0.1', family: 4 }])
    },
  )

  it('whose name server does not answer fails, without the system, and delays no other', async () => {
    answers.set('hooks.example', { a: '93.184.216.34' })
    const resolve = hostResolver({ servers, system, answerMs: 500 })
    const silent = Array.from({ length: 40 }, (_, i) => `dead-${i}.example`)
    for (const name of silent) answers.set(name, 'silence')
    const failures = Promise.allSettled(silent.map((name) => resolve(name)))
    const first = await Promise.race([
      failures.then(() => 'silent ones'),
      resolve('hooks.example').then(() => 'the other'),
    ])
    expect(first).toBe('the other')
    for (const failure of await failures) expect(failure).toMatchObject({ reason: { code: 'EAI_AGAIN' } })
    expect(asked).toEqual([])
  })

  it('is resolved again when the system has another name server after one that went silent', async () => {
    answers.set('hooks.example', { a: '93.184.216.34' })
    const gone = createSocket('udp4')
    await new Promise<void>((resolve) => gone.bind(0, '127.0.0.1', resolve))
    let current = [`127.0.0.1:${gone.address().port}`]
    const resolve = hostResolver({ servers: () => current, system, answerMs: 250 })
    current = servers()
    await expect(resolve('hooks.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    expect(await resolve('hooks.example')).toHaveLength(1)
    await new Promise<void>((done) => gone.close(() => done()))
  })

  it('is resolved by the system two at a time, and every waiting one is answered', async () => {
    const resolve = hostResolver({ servers, system })
    const names = Array.from({ length: 6 }, (_, i) => `host-${i}.test`)
    const all = Promise.all(names.map((name) => resolve(name)))
    for (let done = 0; done < 6; done += 2) {
      await expect.poll(() => asked.length).toBe(done + 2)
      for (const { answer } of asked.slice(done)) answer('127.0.0.1')
    }
    expect(await all).toHaveLength(6)
  })
})
