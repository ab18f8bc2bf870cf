// What `npm run check` runs, on any Node from 20 on: lint, types, dead code and, beside them, every unit test.
import { runMain } from './bootstrap.mjs'
import { runStages } from './run-stages.mjs'
import { CHECKS } from './stages.mjs'

await runMain((args) => runStages(CHECKS, args))
