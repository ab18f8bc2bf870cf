// What `npm run drills` runs, on any Node from 20 on: what takes long (power cuts, chaos, whole days, the packages under systemd), and a summary.
import { runMain } from './bootstrap.mjs'
import { runStages } from './run-stages.mjs'
import { DRILLS } from './stages.mjs'

await runMain((args) => runStages(DRILLS, args))
