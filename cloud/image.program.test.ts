// What deploy/Dockerfile puts into the image is all that a relay needs: it is started from these files and packages, and asked by the image's own health check.
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { Program } from '#test/harness/program.ts'

const ROOT = new URL('../', import.meta.url).pathname
const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replace(/\\\n/g, ' ')

/** Timeout of a build of the page beside other tests on a slow machine. */
const BUILD_MS = 600_000

interface Locked {
  packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
}

let dir: string
let image: string
let relay: Program | null = null
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'image-'))
  image = join(dir, 'image')
  const page = join(dir, 'page')
  const [, ofPage = '', ofImage = ''] = DOCKERFILE.split(/^FROM /m)
  copyInto(page, ofPage)
  installInto(page, ofPage)
  const [, build = ''] = [...ofPage.matchAll(/^RUN (.*)$/gm)].map(([, command]) => command)
  execFileSync('sh', ['-c', build], { cwd: page, stdio: 'ignore' })
  copyInto(image, ofImage)
  for (const [, from = '', to = ''] of ofImage.matchAll(/^COPY --from=page \/page\/(\S+) (\S+)$/gm))
    cpSync(join(page, from), join(image, to), { recursive: true })
  installInto(image, ofImage)
}, BUILD_MS)
afterAll(async () => {
  await relay?.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** What a stage of the image copies from the project. */
function copyInto(folder: string, stage: string): void {
  mkdirSync(folder)
  for (const [, from = '', to = ''] of stage.matchAll(/^COPY (?!--from=)(.*) (\S+)$/gm))
    for (const path of from.split(' '))
      cpSync(join(ROOT, path), join(folder, to === './' ? path : to), {
        recursive: true,
        filter: (source) => !source.endsWith('.test.ts'),
      })
}

/** The packages of the project that the stage's `npm ci` leaves, as links. */
function installInto(folder: string, stage: string): void {
  const [install = ''] = /^RUN npm ci.*$/m.exec(stage) ?? []
  const omits = (kind: string) => install.includes(`--omit=${kind}`)
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Locked
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0
    const isOmitted = (dev && omits('dev')) || (optional && omits('optional')) || (devOptional && omits('dev'))
    // Parts for other platforms are in the lock file only.
    if (path === '' || isNested || isOmitted || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(folder, path))
  }
  if (!omits('dev')) symlinkSync(join(ROOT, 'node_modules/.bin'), join(folder, 'node_modules/.bin'))
}

/** The exit code of the image's health check. */
function health(port: number): Promise<number> {
  const [program = '', ...args] = JSON.parse(/^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(DOCKERFILE)?.[1] ?? '[]') as string[]
  expect(program).toBe('node')
  const env = { CLOUD_HTTP_PORT: String(port) }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error) => resolve(error ? Number(error.code) : 0))
  })
}

it('a relay starts from it, is ready, and its health check distinguishes a running one from a dead one', async () => {
  const port = await findFreePort([])
  expect(await health(port)).toBe(1)
  relay = new Program(
    join(image, 'cloud/main.ts'),
    {
      ...{ CLOUD_DATABASE: join(dir, 'state/relay.db'), CLOUD_HTTP_PORT: String(port), CLOUD_MQTT_PORT: '0' },
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    },
    true,
    // A symbolic link is the package itself, whose own packages are beside it in the project.
    ['--max-semi-space-size=4', '--preserve-symlinks'],
  )
  const { httpUrl } = await relay.start()
  for (const path of [
    '/readyz',
    '/docs',
    '/docs/webhooks',
    '/docs/changelog',
    '/docs/guides/quick-start',
    '/docs/ticketrail.tgz',
    '/v1/openapi.json',
    '/dashboard',
  ])
    expect((await fetch(httpUrl + path)).status, path).toBe(200)
  expect(await health(port)).toBe(0)
  expect(relay.log.filter(({ level }) => level >= 40)).toEqual([])
  await relay.kill('SIGKILL')
  expect(await health(port)).toBe(1)
})
