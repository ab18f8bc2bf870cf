// The relay as it runs, in this process: every route, service and store, over a real socket, with one sandbox account that has no rate limit worth the name.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { Cloud } from '#cloud/cloud.ts'
import { readCloudConfig } from '#cloud/config.ts'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { createLogger } from '#shared/log.ts'
import { type AnswerToCheck, answerFaults } from './check-answer.ts'

export interface Call {
  method: string
  /** Path and query. */
  path: string
  /** Bytes of the body; JSON of anything else is the caller's. */
  body?: string | Uint8Array
  headers?: Readonly<Record<string, string>>
  /** Null sends none. */
  key?: string | null
}

export class WholeRelay {
  readonly document: OpenApiDocument
  readonly account: SandboxAccount
  /** Another key of the account, for a test that ends it. */
  readonly spareKey: string
  readonly url: string
  readonly #cloud: Cloud
  readonly #dir: string

  private constructor(
    cloud: Cloud,
    dir: string,
    keys: { account: SandboxAccount; spareKey: string },
    document: OpenApiDocument,
  ) {
    this.#cloud = cloud
    this.#dir = dir
    this.account = keys.account
    this.spareKey = keys.spareKey
    this.url = cloud.httpUrl
    this.document = document
  }

  static async start(): Promise<WholeRelay> {
    const dir = mkdtempSync(join(tmpdir(), 'ticketrail-contract-'))
    const file = join(dir, 'relay.db')
    const onFatal = (error: unknown) => {
      throw error
    }
    const db = await SqliteDatabase.open(file, onFatal)
    const account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Contract' })
    const rates = { sandbox: { steadyPerMinute: 1_000_000, burstPerMinute: 2_000_000, bodyBytesPerMinute: 99_999_999 } }
    await db.unit((tx) =>
      tx
        .updateTable('accounts')
        .set({ plan_overrides: JSON.stringify(rates) })
        .where('id', '=', account.accountId)
        .execute(),
    )
    const { apiKey: spareKey } = await db.unit((tx) =>
      issueApiKey(
        tx,
        { apiKeys: new ApiKeyStore(db), clock: systemClock },
        { accountId: account.accountId, environment: 'sandbox' },
      ),
    )
    await db.close()
    const config = readCloudConfig({
      CLOUD_DATABASE: file,
      CLOUD_HTTP_PORT: '0',
      CLOUD_MQTT_PORT: '0',
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
      CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    })
    const log = createLogger('cloud', 'fatal', {
      destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
    })
    const cloud = new Cloud({ config, clock: systemClock, random: Math.random, log, onFatal })
    await cloud.start()
    const document = (await (await fetch(`${cloud.httpUrl}/v1/openapi.json`)).json()) as OpenApiDocument
    return new WholeRelay(cloud, dir, { account, spareKey }, document)
  }

  /** Any call. A body goes out as JSON unless `headers` say otherwise. */
  async call({ method, path, body, headers = {}, key = this.account.apiKey }: Call): Promise<AnswerToCheck> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const text = await (isStream ? readUntil(response, '\n\n') : response.text())
    return { method, url: path, status: response.status, headers: Object.fromEntries(response.headers), text }
  }

  /** Opens a stream of events, and leaves it when it has brought this text. */
  async readStream(path: string, seen: string): Promise<string> {
    return readUntil(
      await fetch(this.url + path, { headers: { authorization: `Bearer ${this.account.apiKey}` } }),
      seen,
    )
  }

  /** In what an answer departs from the document. */
  faultsOf(answer: AnswerToCheck): string[] {
    return answerFaults(this.document, answer)
  }

  async stop(): Promise<void> {
    await this.#cloud.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

/** A stream of events goes on for as long as its reader likes: this one leaves when it has seen the text. */
async function readUntil({ body }: Response, seen: string): Promise<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes(seen)) break
  }
  return text
}
