// What `npm test` runs, on any Node from 20 on: installs what is missing, then every check and every test on Node 24, and a summary.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bootstrap, endOf, environmentWith, exitCodeOf, ROOT, runMain } from './bootstrap.mjs'

/** @type {{name: string, tool: string, args: string[], vitest?: boolean}[]} */
const STAGES = [
  { name: 'format and lint', tool: 'biome', args: ['ci', '--error-on-warnings'] },
  { name: 'types', tool: 'tsc', args: ['--noEmit'] },
  { name: 'dead code', tool: 'knip', args: ['--no-progress'] },
  { name: 'unit tests', tool: 'vitest', args: ['run', '--project', 'unit'], vitest: true },
  { name: 'program tests', tool: 'vitest', args: ['run', '--project', 'programs'], vitest: true },
  { name: 'conformance tests', tool: 'vitest', args: ['run', '--project', 'conformance'], vitest: true },
  { name: 'flow tests', tool: 'vitest', args: ['run', '--project', 'flows'], vitest: true },
]

let interrupted = false

/** Runs all stages, also after one has failed. Further arguments go to vitest: `npm test -- -t "sum rule"`. */
async function main(args) {
  const own = args.filter((arg) => arg !== '--no-install')
  const node = await bootstrap({ install: own.length === args.length })
  const results = []
  for (const stage of STAGES) {
    if (interrupted) break
    results.push(await run(stage, node, own))
  }
  return summarise(results)
}

async function run(stage, node, extra) {
  // A filter may leave a project without any test file.
  const forVitest = stage.vitest && extra.length > 0 ? [...extra, '--passWithNoTests'] : []
  process.stdout.write(`\n== ${stage.name}: ${[stage.tool, ...stage.args, ...forVitest].join(' ')}\n`)
  const startedMs = performance.now()
  const child = spawn(join(ROOT, 'node_modules', '.bin', stage.tool), [...stage.args, ...forVitest], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environmentWith(node),
  })
  const stop = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const ended = await endOf(child)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return { name: stage.name, code: exitCodeOf(ended), seconds: (performance.now() - startedMs) / 1_000 }
}

/** Prints a line a stage and returns the exit code. */
function summarise(results) {
  process.stdout.write('\n== summary\n')
  for (const { name, code, seconds } of results)
    process.stdout.write(
      `  ${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s\n`,
    )
  const failed = results.filter(({ code }) => code !== 0)
  const complete = results.length === STAGES.length
  if (!complete) process.stdout.write('  interrupted before the end\n')
  process.stdout.write(
    failed.length === 0 && complete ? '\nEverything passed.\n' : `\n${failed.length} of ${results.length} failed.\n`,
  )
  return failed.length === 0 && complete ? 0 : 1
}

await runMain(main)
