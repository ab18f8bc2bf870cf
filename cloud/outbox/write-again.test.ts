// Writing down what has happened outside, while the writer is overloaded.
import { expect, it } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { writeAgain } from './outbox.ts'

/** A write that fails with each of these errors before it succeeds. */
function failing(...errors: Error[]) {
  const write = { calls: 0, run: async () => 'written' }
  write.run = async () => {
    const error = errors[write.calls++]
    if (error) throw error
    return 'written'
  }
  return write
}
const refused = (count: number) => Array.from({ length: count }, () => new ServiceError('service.unavailable'))

it('retries until the writer accepts it', async () => {
  const clock = new ManualClock()
  const write = failing(...refused(9))
  const written = writeAgain(clock, write.run)
  await clock.advance(0)
  await clock.advance(9 * 200)
  expect(await written).toBe('written')
  expect(write.calls).toBe(10)
})

it('gives up after two seconds', async () => {
  const clock = new ManualClock()
  const write = failing(...refused(10))
  const written = expect(writeAgain(clock, write.run)).rejects.toThrow(ServiceError)
  await clock.advance(0)
  await clock.advance(60_000)
  await written
  expect(write.calls).toBe(10)
})

it('does not repeat what fails for another reason', async () => {
  const write = failing(new ServiceError('request.too_large'))
  await expect(writeAgain(new ManualClock(), write.run)).rejects.toMatchObject({ code: 'request.too_large' })
  expect(write.calls).toBe(1)
})
