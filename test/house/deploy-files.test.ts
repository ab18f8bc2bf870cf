// What stands in deploy/ for many relays: each file is read by its own rules, names only settings that exist, and gives a relay time to drain.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { cloudConfig } from '#cloud/config.ts'
import { ROOT, read } from './source-files.ts'

/** Of the stop that follows: the move of the gateways, and the closing. */
const AFTER_DRAIN_SECONDS = 30

const SETTINGS = new Set(Object.keys(cloudConfig.shape))
const unknownOf = (names: readonly string[]): string[] => names.filter((name) => !SETTINGS.has(name))

// biome-ignore lint/suspicious/noExplicitAny: each test says what it looks at
type Any = any

const dockerfile = read('deploy/Dockerfile')
const instructions = dockerfile.replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ')
const linesOf = (name: string): string[] =>
  [...instructions.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, rest = '']) => rest.trim())

describe('the image', () => {
  it('is a Node 24 with the production packages, the sources as they are, and the page and npm package that another stage builds', () => {
    expect(linesOf('FROM')).toEqual(['node:24-slim AS page', 'node:24-slim'])
    const [forPage, build, packages, ...others] = linesOf('RUN')
    // Without the optional packages the tools that build have no native parts.
    expect(forPage).toBe('npm ci --ignore-scripts')
    expect(build).toBe('npm run build:dashboard && npm run sdk:package')
    expect(packages).toMatch(/^npm ci --omit=dev .*--ignore-scripts/)
    expect(others.join(' && ')).not.toMatch(/build|tsc|vite/)
    const copied = linesOf('COPY').filter((line) => !line.startsWith('--from=page '))
    const kept = read('deploy/Dockerfile.dockerignore')
    for (const path of copied.flatMap((line) => line.split(/\s+/).slice(0, -1))) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(kept).toContain(`\n!${path}\n`)
    }
  })

  it('runs without privileges, has a health check, and names only settings that exist', () => {
    expect(linesOf('USER')).toEqual(['10001:10001'])
    expect(linesOf('HEALTHCHECK')[0]).toContain('/healthz')
    expect(linesOf('CMD')).toEqual(['["node", "--max-semi-space-size=4", "cloud/main.ts"]'])
    const set = [...(linesOf('ENV')[0] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name)
    expect(unknownOf(set.filter((name) => !['NODE_ENV', 'MALLOC_ARENA_MAX'].includes(name)))).toEqual([])
  })
})

describe('compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Any
  const relays = ['relay-1', 'relay-2', 'relay-mosquitto-1', 'relay-mosquitto-2'].map((name) => compose.services[name])

  it('has two relays behind Caddy, PostgreSQL 17, and Mosquitto only on request', () => {
    const always = Object.entries<Any>(compose.services).filter(([, { profiles }]) => profiles === undefined)
    expect(always.map(([name]) => name).sort()).toEqual(['caddy', 'postgres', 'relay-1', 'relay-2'])
    expect(compose.services.postgres.image).toBe('postgres:17')
    expect(compose.services.mosquitto.profiles).toEqual(['mosquitto'])
    expect(compose.services.caddy.environment.RELAY_UPSTREAMS).toContain('relay-1:8080 relay-2:8080')
    for (const { volumes = [] } of Object.values<Any>(compose.services))
      for (const [from = ''] of volumes.map((volume: string) => volume.split(':')))
        if (from.startsWith('./') && from !== './tls') expect(existsSync(join(ROOT, 'deploy', from)), from).toBe(true)
  })

  it('sets only settings that exist', () => {
    for (const { environment } of relays) {
      expect(environment.DATABASE_URL).toMatch(/^postgres:\/\//)
      expect(unknownOf(Object.keys(environment))).toEqual([])
    }
  })

  it('gives each relay a file system that it cannot write to, no rights, and time to drain', () => {
    for (const relay of relays) {
      expect([relay.read_only, relay.cap_drop]).toEqual([true, ['ALL']])
      const drainSeconds = Number(relay.environment.CLOUD_DRAIN_SECONDS)
      expect(Number.parseInt(relay.stop_grace_period, 10)).toBeGreaterThanOrEqual(drainSeconds + AFTER_DRAIN_SECONDS)
    }
  })
})

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => document.toJS() as Any)
  const of = (kind: string): Any => documents.find((document) => document.kind === kind)
  const deployment = of('Deployment').spec
  const pod = deployment.template.spec
  const [container] = pod.containers

  it('has three relays, of which one at a time may go', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Deployment', 'PodDisruptionBudget', 'Service'])
    expect([deployment.replicas, deployment.strategy.rollingUpdate]).toEqual([3, { maxSurge: 1, maxUnavailable: 0 }])
    expect(of('PodDisruptionBudget').spec.maxUnavailable).toBe(1)
    const labels = deployment.template.metadata.labels
    for (const selector of [
      deployment.selector.matchLabels,
      of('PodDisruptionBudget').spec.selector.matchLabels,
      of('Service').spec.selector,
    ])
      expect(labels).toMatchObject(selector)
    const ports = container.ports.map(({ name }: Any) => name)
    expect(ports).toContain(of('Service').spec.ports[0].targetPort)
  })

  it('lets a relay drain by itself: no preStop, and enough time', () => {
    expect(container.lifecycle).toBeUndefined()
    const drainSeconds = Number(container.env.find(({ name }: Any) => name === 'CLOUD_DRAIN_SECONDS').value)
    expect(pod.terminationGracePeriodSeconds).toBe(45)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + AFTER_DRAIN_SECONDS)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(drainSeconds).toBeGreaterThan(periodSeconds * failureThreshold)
    expect([container.readinessProbe.httpGet.path, container.livenessProbe.httpGet.path]).toEqual([
      '/readyz',
      '/healthz',
    ])
  })

  it('sets only settings that exist, and gives the relay what the image requires', () => {
    expect(unknownOf(container.env.map(({ name }: Any) => name))).toEqual([])
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    expect(container.volumeMounts.map(({ mountPath }: Any) => mountPath)).toContain(linesOf('VOLUME')[0])
    // The relay refuses a key that others than its user and group may read.
    expect(pod.volumes.find(({ secret }: Any) => secret)?.secret.defaultMode & 0o007).toBe(0)
  })
})

it('the unit of systemd gives a relay time to drain, and files for its connections', () => {
  const unit = read('systemd/ticketrail-relay.service')
  const numberOf = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(unit)?.[1])
  expect(numberOf('TimeoutStopSec')).toBe(45)
  expect(numberOf('LimitNOFILE')).toBeGreaterThanOrEqual(25_000 * 2)
})
