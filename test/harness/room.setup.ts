// Setup of the room tests: a file of which no test opens a socket or starts a process is a unit test, and must be called so.
import { afterAll, beforeAll, type RunnerTestFile, type RunnerTestSuite } from 'vitest'
import { watchDoors } from './effects.ts'

let opened = 0
beforeAll(() => {
  opened = 0
  watchDoors(() => opened++)
})

// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what is wanted of the context
afterAll(({}, file) => {
  // A filter may have left out those that do.
  if (opened === 0 && areAllRun(file)) throw new Error('no test of this file opens a socket: call it *.test.ts')
})

function areAllRun({ tasks }: RunnerTestFile | RunnerTestSuite): boolean {
  return tasks.every((task) =>
    task.type === 'suite' ? areAllRun(task) : task.mode === 'run' && task.result?.state === 'pass',
  )
}
