// What `npm test` runs, on any Node from 20 on: installs what is missing, then every check and every test on Node 24, and a summary.
import { runMain } from './bootstrap.mjs'
import { runStages } from './run-stages.mjs'
import { TESTS } from './stages.mjs'

await runMain((args) => runStages(TESTS, args))
