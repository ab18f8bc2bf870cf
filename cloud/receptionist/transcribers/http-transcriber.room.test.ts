// Servers that turn voicemails into text: what they are asked, and what comes of good and bad answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { toneWav } from '#test/fixtures/spoken.ts'
import { HttpTranscriber } from './http-transcriber.ts'

type Answer = (asked: { form: string; body: Buffer }, response: ServerResponse) => void

let server: Server
let clock: ManualClock
let answer: Answer
let requests: { url: string | undefined; authorization: string | undefined; type: string | undefined; body: Buffer }[]
let transcriber: HttpTranscriber
beforeEach(async () => {
  clock = new ManualClock()
  requests = []
  server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  transcriber = new HttpTranscriber({ url, key: 'secret-key', model: 'small.en', clock })
})
afterEach(async () => {
  await transcriber.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { authorization, 'content-type': type } = request.headers
  requests.push({ url: request.url, authorization, type, body })
  answer({ form: /name="response_format"\r\n\r\n(\w+)/.exec(body.toString('latin1'))?.[1] ?? '', body }, response)
}

const json =
  (value: unknown, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const heard = (stopped = new AbortController().signal): Promise<unknown> =>
  transcriber
    .transcribe({ bytes: toneWav(), type: 'audio/wav', seconds: 1, providerText: null }, stopped)
    .catch(({ reason, isFinal, ...rest }: { reason?: string; isFinal?: boolean }) => ({ reason, isFinal, ...rest }))
const refused = (reason: string, isFinal = false) => expect.objectContaining({ reason, isFinal })

describe('a server', () => {
  test('is asked with the file, the model and the key, and says how sure it is', async () => {
    answer = json({ text: ' A table\nfor four. ', segments: [{ avg_logprob: -0.1 }, { avg_logprob: -0.3 }] })
    expect(await heard()).toEqual({
      text: 'A table for four.',
      confidence: Math.exp(-0.2),
      uncertain: false,
      engine: 'small.en',
    })
    const [asked] = requests
    expect(asked).toMatchObject({
      url: '/v1/audio/transcriptions',
      authorization: 'Bearer secret-key',
      type: expect.stringMatching(/^multipart\/form-data; boundary=/),
    })
    expect(asked?.body.includes(toneWav())).toBe(true)
    expect(asked?.body.toString('latin1')).toMatch(/name="model"\r\n\r\nsmall\.en\r\n/)
  })

  test('that is not sure gives an uncertain text', async () => {
    answer = json({ text: 'a cable for fur', segments: [{ avg_logprob: -1.2 }] })
    expect(await heard()).toMatchObject({ text: 'a cable for fur', uncertain: true })
  })

  test('that has only the plain form is asked for that, and its text is uncertain', async () => {
    answer = ({ form }, response) =>
      form === 'json'
        ? json({ text: 'hello' })({ form, body: Buffer.alloc(0) }, response)
        : response.writeHead(400).end()
    expect(await heard()).toMatchObject({ text: 'hello', confidence: null, uncertain: true })
    expect(requests).toHaveLength(2)
  })
})

describe('an answer', () => {
  test.each<[string, Answer, unknown]>([
    ['in HTML', (_, response) => response.end('<html>hello</html>'), refused('not_a_transcript')],
    ['without a text', json({ words: [] }), refused('not_a_transcript')],
    ['that is no UTF-8', (_, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe])), refused('not_a_transcript')],
    [
      'without end',
      (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
        }
        response.on('drain', more)
        more()
      },
      refused('answer_too_long'),
    ],
    ['that is cut off', (_, response) => response.destroy(), refused('connection')],
    ['that is an error of the server', json({}, 503), refused('http_503')],
    ['that the key is wrong', json({}, 401), refused('http_401', true)],
  ])('%s is no text', async (_, bad, outcome) => {
    answer = bad
    expect(await heard()).toEqual(outcome)
  })

  test('that leads elsewhere is not followed', async () => {
    answer = (_, response) => response.writeHead(307, { location: '/elsewhere' }).end()
    expect(await heard()).toEqual(refused('http_307'))
    expect(requests.map(({ url }) => url)).toEqual(['/v1/audio/transcriptions'])
  })

  test.each([
    ['that never comes', 'timeout', async () => clock.advance(33_000)],
    ['that is waited for when the relay stops', 'stopped', async (stop: AbortController) => stop.abort()],
  ])('%s ends as %s', async (_, reason, act) => {
    const asked = Promise.withResolvers<void>()
    answer = () => asked.resolve()
    const stop = new AbortController()
    const outcome = heard(stop.signal)
    await asked.promise
    await act(stop)
    expect(await outcome).toEqual(refused(reason))
  })
})
