// Setup of the unit tests: they open no socket and start no process, so that `npm run check` has them all and stays quick.
import { watchDoors } from './effects.ts'

watchDoors((what) => {
  throw new Error(`a unit test opens ${what}: call its file *.room.test.ts`)
})
