// What `npm start` runs, on any Node from 20 on: installs what is missing, then hands over to scripts/demo.ts on Node 24.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, endOf, environmentWith, exitCodeOf, ROOT, runMain } from './bootstrap.mjs'
import { ensureBuilt } from './built-files.mjs'

/** Kept between starts: both programs are back after a crash in two thirds of the time. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'ticketrail')

async function main(args) {
  const node = await bootstrap({ install: !args.includes('--no-install') })
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...environmentWith(node) }
  if (!existsSync(env.NODE_COMPILE_CACHE)) await compileOnce(node, env)
  // Without them the gateway has its plain status page, and the relay no dashboard: that is no reason not to start.
  await ensureBuilt(env)
  const child = spawn(node, [join(ROOT, 'scripts', 'demo.ts'), ...args], { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to the whole group and npm sends it once more; the demo counts signals that come together as one.
  const forward = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
  const watch = stopWithNpm(() => child.kill('SIGTERM'))
  const ended = await endOf(child)
  clearInterval(watch)
  return exitCodeOf(ended)
}

/**
 * Loads both programs once without starting them, so that the first real start finds compiled code too: it takes half the time,
 * and the gateway needs no TypeScript stripper in its memory. A failure here shows itself again, in words, when they start.
 */
async function compileOnce(node, env) {
  process.stdout.write('Preparing the programs (first start only) ...\n')
  // Compiled code is kept per set of V8 flags, so each program is loaded with its own.
  const run = (args) => endOf(spawn(node, args, { cwd: ROOT, stdio: 'ignore', env }))
  const compile = async (name, flags) => {
    await run([...flags, '--input-type=module', '-e', `await import('#${name}/${name}.ts')`])
    await run([...flags, `${name}/main.ts`, '--version'])
  }
  await Promise.all([compile('gateway', ['--max-semi-space-size=1']), compile('cloud', ['--max-semi-space-size=4'])])
}

/** When npm itself is killed, nobody is left to send us a signal: a new parent process means that it is gone. */
function stopWithNpm(stop) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== 'start') return undefined
  return setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 250)
}

await runMain(main)
