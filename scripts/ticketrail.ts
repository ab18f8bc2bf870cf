// `npm run -s ticketrail`: the command line for client developers, which finds a demo that runs on this machine. TICKETRAIL_DEMO is the data folder of a demo, and that demo is then used whatever other variables say; without it the demo in `data` is used, unless a variable names a relay.
import { join, resolve } from 'node:path'
import { EXIT } from '#shared/cli/command.ts'
import { dataPaths } from './demo/data-folder.ts'
import { readIfThere } from './demo/private-file.ts'

const { env } = process
/** Files and folders are named from where the developer stands. */
const here = env['INIT_CWD'] ?? process.cwd()
const named = env['TICKETRAIL_DEMO']
const folder = named ? resolve(here, named) : join(import.meta.dirname, '..', 'data')
const isWanted = named || !(env['TICKETRAIL_API_KEY'] || env['TICKETRAIL_URL'])
const found = isWanted ? readIfThere(dataPaths(folder).demo) : null

if (found !== null) {
  const demo = JSON.parse(found) as { cloudUrl: string; apiKey: string; merchantId: string }
  env['TICKETRAIL_URL'] = demo.cloudUrl
  env['TICKETRAIL_API_KEY'] = demo.apiKey
  env['TICKETRAIL_MERCHANT'] = (named ? undefined : env['TICKETRAIL_MERCHANT']) ?? demo.merchantId
} else if (named) {
  process.stderr.write(`No demo runs with the folder ${folder}, which TICKETRAIL_DEMO names: start it with --data.\n`)
  process.exit(EXIT.usage)
}
process.chdir(here)
await import('#cloud/cli/main.ts')
