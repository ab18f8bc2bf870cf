// The verifiers in docs/snippets, run in their languages with what we send and with what an attacker would send.
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#shared/ids.ts'
import { newSigningSecret, signedHeaders } from './signature.ts'

const SNIPPETS = resolve('docs/snippets')
const NOW_SECONDS = 1_795_197_600

interface Case {
  name: string
  body: string
  headers: Record<string, string>
  secret: string
  nowSeconds: number
  fresh: boolean
  authentic: boolean
}

const secret = newSigningSecret()
const oldSecret = newSigningSecret()
const body = '{"id":"evt_1","note":"crème brûlée 5 €","qty":2}'
const sign = (previous: string | null = null) => {
  const ids = { eventId: newId('evt', 1), deliveryId: newId('dlv', 1), eventType: 'order.accepted', attempt: 1 }
  const headers = signedHeaders({ body, secrets: { current: secret, previous }, ...ids, nowMs: NOW_SECONDS * 1000 })
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
const sound = sign()
const genuine: Case = {
  name: 'what we send',
  body,
  headers: sound,
  secret,
  nowSeconds: NOW_SECONDS,
  fresh: true,
  authentic: true,
}
/** What anybody can make who guesses that the secret was not set. */
function forged(unset: string): Record<string, string> {
  const content = `${sound['webhook-id']}.${sound['webhook-timestamp']}.${body}`
  return {
    'webhook-signature': `v1,${createHmac('sha256', '').update(content).digest('base64')}`,
    'x-service-signature': createHmac('sha256', unset).update(body).digest('hex'),
  }
}
const without = (name: string) => Object.fromEntries(Object.entries(sound).filter(([header]) => header !== name))
const CASES: Case[] = [
  genuine,
  { ...genuine, name: 'an event with 299 s on the way', nowSeconds: NOW_SECONDS + 299 },
  { ...genuine, name: 'a replay after 301 s', nowSeconds: NOW_SECONDS + 301, fresh: false },
  { ...genuine, name: 'an event from the future', nowSeconds: NOW_SECONDS - 301, fresh: false },
  { ...genuine, name: 'an altered byte', body: body.replace('2', '3'), fresh: false, authentic: false },
  { ...genuine, name: 'a line break more', body: `${body}\n`, fresh: false, authentic: false },
  { ...genuine, name: 'another secret', secret: newSigningSecret(), fresh: false, authentic: false },
  { ...genuine, name: 'a rotation, with the new secret', headers: sign(oldSecret) },
  {
    ...genuine,
    name: 'a rotation, with the old secret',
    headers: sign(oldSecret),
    secret: oldSecret,
    authentic: false,
  },
  {
    ...genuine,
    name: 'a time moved by an attacker',
    headers: { ...sound, 'webhook-timestamp': String(NOW_SECONDS + 600) },
    nowSeconds: NOW_SECONDS + 600,
    fresh: false,
  },
  { ...genuine, name: 'another id', headers: { ...sound, 'webhook-id': newId('evt', 2) }, fresh: false },
  { ...genuine, name: 'no id', headers: without('webhook-id'), fresh: false },
  { ...genuine, name: 'no time', headers: without('webhook-timestamp'), fresh: false },
  { ...genuine, name: 'a time that is none', headers: { ...sound, 'webhook-timestamp': '1e9' }, fresh: false },
  { ...genuine, name: 'no signatures', headers: { 'webhook-id': 'x' }, fresh: false, authentic: false },
  ...['', 'whsec_'].map((unset) => ({
    ...genuine,
    name: `a forgery for a receiver whose secret is "${unset}"`,
    headers: { ...sound, ...forged(unset) },
    ...{ secret: unset, fresh: false, authentic: false },
  })),
  {
    ...genuine,
    name: 'signatures of other versions and of nothing',
    headers: {
      ...sound,
      'webhook-signature': `v2,${sound['webhook-signature']?.slice(3)} v1, v1 ,`,
      'x-service-signature': 'zz',
    },
    fresh: false,
    authentic: false,
  },
]

/** `[fresh, authentic]` of each case. */
type Verdicts = [boolean, boolean][]

interface Language {
  /** Prints its version, or fails if it is not installed. */
  probe: [string, ...string[]]
  file: string
  /** @returns the command that reads the cases as JSON and writes the verdicts */
  command: (folder: string) => [string, ...string[]]
}

const LANGUAGES: Record<string, Language> = {
  'Node.js': {
    probe: [process.execPath, '--version'],
    file: 'verify.ts',
    command: (folder) => {
      const driver = `import { isAuthentic, isFresh } from './verify.ts'
const cases = JSON.parse(await new Response(process.stdin).text())
console.log(JSON.stringify(cases.map((c) => {
  const body = Buffer.from(c.body, 'base64')
  return [isFresh(body, c.headers, c.secret, c.nowSeconds), isAuthentic(body, c.headers['x-service-signature'], c.secret)]
})))`
      writeFileSync(join(folder, 'driver.mjs'), driver)
      return [process.execPath, join(folder, 'driver.mjs')]
    },
  },
  Python: {
    probe: ['python3', '--version'],
    file: 'verify.py',
    command: (folder) => {
      const driver = `import base64, json, sys
from verify import is_authentic, is_fresh
out = []
for c in json.load(sys.stdin):
    body = base64.b64decode(c["body"])
    fresh = is_fresh(body, c["headers"], c["secret"], c["nowSeconds"])
    out.append([fresh, is_authentic(body, c["headers"].get("x-service-signature"), c["secret"])])
print(json.dumps(out))`
      writeFileSync(join(folder, 'driver.py'), driver)
      return ['python3', join(folder, 'driver.py')]
    },
  },
  PHP: {
    probe: ['php', '--version'],
    file: 'verify.php',
    command: (folder) => {
      const driver = `<?php
require __DIR__ . '/verify.php';
$out = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $c) {
    $body = base64_decode($c['body']);
    $out[] = [
        ticketrail_is_fresh($body, $c['headers'], $c['secret'], $c['nowSeconds']),
        ticketrail_is_authentic($body, $c['headers']['x-service-signature'] ?? null, $c['secret']),
    ];
}
echo json_encode($out);`
      writeFileSync(join(folder, 'driver.php'), driver)
      return ['php', join(folder, 'driver.php')]
    },
  },
  Go: {
    probe: ['go', 'version'],
    file: 'ticketrail/verify.go',
    command: (folder) => {
      const driver = `package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"example.com/receiver/ticketrail"
)

func main() {
	var cases []struct {
		Body       string
		Headers    map[string]string
		Secret     string
		NowSeconds int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	out := [][]bool{}
	for _, c := range cases {
		body, _ := base64.StdEncoding.DecodeString(c.Body)
		headers := http.Header{}
		for name, value := range c.Headers {
			headers.Set(name, value)
		}
		fresh := ticketrail.IsFresh(body, headers, c.Secret, time.Unix(c.NowSeconds, 0))
		out = append(out, []bool{fresh, ticketrail.IsAuthentic(body, headers.Get("X-Service-Signature"), c.Secret)})
	}
	json.NewEncoder(os.Stdout).Encode(out)
}
`
      writeFileSync(join(folder, 'main.go'), driver)
      writeFileSync(join(folder, 'go.mod'), 'module example.com/receiver\n\ngo 1.19\n')
      return ['go', 'run', '.']
    },
  },
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'snippets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function verdicts(name: string, { file, command }: Language): Verdicts {
  const own = join(folder, name)
  mkdirSync(join(own, file, '..'), { recursive: true })
  copyFileSync(join(SNIPPETS, file.split('/').at(-1) ?? ''), join(own, file))
  const [program, ...args] = command(own)
  const input = JSON.stringify(CASES.map((one) => ({ ...one, body: Buffer.from(one.body).toString('base64') })))
  // Go must not use the network.
  const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }
  const done = spawnSync(program, args, { input, env, cwd: own, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program} ended with ${done.status}: ${done.stderr}`)
  return JSON.parse(done.stdout) as Verdicts
}

describe('docs/snippets', () => {
  it.for(Object.entries(LANGUAGES))(
    'in %s takes what is ours and refuses the rest',
    { timeout: 120_000 },
    ([name, language], { skip }) => {
      const [program, ...args] = language.probe
      if (spawnSync(program, args).status !== 0) {
        const reason = `${program} is not installed here`
        process.stderr.write(`docs/snippets in ${name}: not run, because ${reason}\n`)
        skip(reason)
      }
      const found = verdicts(name, language)
      const told = CASES.map((one, i) => [one.name, ...(found[i] ?? [])])
      expect(told).toEqual(CASES.map((one) => [one.name, one.fresh, one.authentic]))
    },
  )
})
