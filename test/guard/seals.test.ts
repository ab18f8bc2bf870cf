// The sample of an order's messages is of this protocol: what is measured is what an order says.
import { expect, it } from 'vitest'
import { downMessage, jobDoc, upMessage } from '#shared/wire/gateway-link.ts'
import { MESSAGES, sealSamples } from './seals.ts'

it('the measured messages are those of an order, each as its schema has it', () => {
  const parsed = MESSAGES.map((text) => JSON.parse(text)).map((message) =>
    message.t === 'job' || message.t === 'rack' ? downMessage.parse(message) : upMessage.parse(message),
  )
  expect(parsed.map(({ t }) => t)).toEqual(['job', 'ack', 'result', 'rack'])
  expect(parsed.flatMap((message) => (message.t === 'job' ? [jobDoc.parse(message.doc).kind] : []))).toEqual(['order'])
})

it('each sample is a time', () => {
  const samples = sealSamples(2)
  expect(samples.filter((ms) => Number.isFinite(ms) && ms > 0)).toHaveLength(2)
})
