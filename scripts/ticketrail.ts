// `npm run -s ticketrail`: the command line for client developers, which finds the demo that runs here when no variable names another relay.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DEMO = join(import.meta.dirname, '..', 'data', 'demo.json')
const { env } = process

if (!env['TICKETRAIL_API_KEY'] && !env['TICKETRAIL_URL'] && existsSync(DEMO)) {
  const demo = JSON.parse(readFileSync(DEMO, 'utf8')) as { cloudUrl: string; apiKey: string; merchantId: string }
  env['TICKETRAIL_URL'] = demo.cloudUrl
  env['TICKETRAIL_API_KEY'] = demo.apiKey
  env['TICKETRAIL_MERCHANT'] ??= demo.merchantId
}
// Files are named from where the developer stands.
if (env['INIT_CWD']) process.chdir(env['INIT_CWD'])
await import('#cloud/cli/main.ts')
