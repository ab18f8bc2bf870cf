// A relay as people find it at its dashboard: the real program with the built pages, an account with a person of each role, Debian's chromium.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { OperationBody, OperationName } from '#cloud/control/operations.ts'
import type { Role } from '#cloud/control/roles.ts'
import { emailNorm } from '#cloud/people/email.ts'
import { makeLinkCode } from '#cloud/people/link-codes.ts'
import { insertPerson } from '#cloud/people/new-person.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import type { AccountId, UserId } from '#shared/ids.ts'
import { Passwords } from '#shared/pages/passwords.ts'
import { MailServer } from '#test/doubles/mail-server.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { Program } from '#test/harness/program.ts'
import { launchShell } from './chromium.ts'
import { newVisitor, type Visitor } from './visitor.ts'

/** Of every person here. */
export const PASSWORD = 'four plain kitchen words'

const ROLES = ['owner', 'manager', 'developer', 'staff', 'operator'] as const
export type Who = (typeof ROLES)[number]

/** Each visitor takes one of the links that sign a person in once. */
const LINKS_EACH = 12
const DAY_MS = 86_400_000

export interface SitePerson {
  userId: UserId
  email: string
  name: string
}

export interface SiteOptions {
  /** Name of the account; default `Casa Nina`. */
  accountName?: string
  env?: Readonly<Record<string, string>>
  /** Puts more into the database before the relay starts. */
  fill?: (db: RelayDatabase, site: DashboardSite) => Promise<void>
}

export interface PersonOptions {
  locale?: string
  width?: number
  height?: number
}

export class DashboardSite {
  /** What the relay sends arrives here. */
  readonly mail = new MailServer({ isPlain: true })
  readonly people = new Map<Who, SitePerson>()
  url = ''
  accountId = '' as AccountId
  /** Of the sandbox. */
  apiKey = ''
  /** A second account, in which the owner of the first is a developer. */
  otherAccountId = '' as AccountId
  readonly #dir = mkdtempSync(join(tmpdir(), 'dashboard-page-'))
  readonly #links = new Map<Who, string[]>()
  #program: Program | null = null
  #browser: Browser | null = null

  async start({ accountName = 'Casa Nina', env = {}, fill }: SiteOptions = {}): Promise<void> {
    await this.mail.start()
    const file = join(this.#dir, 'relay.db')
    const db = await SqliteDatabase.open(file, (error) => {
      throw error
    })
    await this.#fill(db, accountName)
    await fill?.(db, this)
    await db.close()
    const port = await ownPort()
    // By this name browsers take passkeys; by a number they do not.
    this.url = `http://localhost:${port}`
    this.#program = new Program(
      'cloud/main.ts',
      {
        CLOUD_DATABASE: file,
        CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
        CLOUD_HTTP_PORT: String(port),
        CLOUD_MQTT_PORT: '0',
        CLOUD_PUBLIC_URL: this.url,
        CLOUD_MAIL_URL: this.mail.url,
        CLOUD_MAIL_FROM: 'Ticketrail <mail@relay.example>',
        CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
        ...env,
      },
      true,
    )
    await this.#program.start()
    this.#browser = await launchShell()
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    await this.#program?.kill('SIGKILL')
    await this.mail.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  /** Stops the relay without ending it: it accepts nothing and says nothing. */
  freeze(): void {
    this.#program?.signal('SIGSTOP')
  }

  thaw(): void {
    this.#program?.signal('SIGCONT')
  }

  /** Somebody who has not signed in. */
  async stranger({ locale = 'en', width = 1_280, height = 900 }: PersonOptions = {}): Promise<Visitor> {
    if (!this.#browser) throw new Error('not started')
    return newVisitor(this.#browser, { url: this.url, api: '/dashboard/api/', locale, width, height })
  }

  /** Somebody who has signed in by a link, at the first page. */
  async visitor(who: Who = 'owner', options: PersonOptions = {}): Promise<Visitor> {
    const visitor = await this.stranger(options)
    await visitor.page.goto(this.link(who))
    await visitor.page.locator('.dashboard h1').waitFor()
    return visitor
  }

  /** Signs this person in, once. */
  link(who: Who): string {
    const link = this.#links.get(who)?.pop()
    if (link === undefined) throw new Error(`no link is left for ${who}`)
    return link
  }

  person(who: Who): SitePerson {
    const person = this.people.get(who)
    if (person === undefined) throw new Error(`nobody is ${who}`)
    return person
  }

  /** Asks an operation as the page does, for the account and its sandbox. */
  async ask<N extends OperationName>(
    visitor: Visitor,
    name: N,
    body: OperationBody<N>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OperationAnswers[N]> {
    const place = { 'x-account': this.accountId, 'x-environment': 'sandbox' }
    return (await visitor.post(name, body, { ...place, ...headers })) as OperationAnswers[N]
  }

  /** The newest mail to this address whose text holds the pattern, waited for: what its first group matched. */
  async mailed(to: string, pattern: RegExp): Promise<string> {
    for (;;) {
      const arrived = this.mail.arrived.next()
      const found = this.mail.taken.findLast((mail) => mail.to.includes(to) && pattern.test(mail.text))
      const [, group] = pattern.exec(found?.text ?? '') ?? []
      if (group !== undefined) return group
      await arrived
    }
  }

  async #fill(db: SqliteDatabase, accountName: string): Promise<void> {
    const clock = systemClock
    const account = await createSandboxAccount({ db, clock }, { name: accountName })
    const other = await createSandboxAccount({ db, clock }, { name: 'Delivery Partner' })
    this.accountId = account.accountId
    this.apiKey = account.apiKey
    this.otherAccountId = other.accountId
    const stores = openStores(db)
    const passwordHash = await new Passwords().hash(PASSWORD)
    await db.unit(async (tx) => {
      for (const who of ROLES) {
        const email = `${who}@casanina.example`
        const person = { email, name: `${who[0]?.toUpperCase()}${who.slice(1)} Person`, language: 'en' }
        const user = await insertPerson(
          tx,
          { ...stores, clock },
          { ...person, passwordHash, isVerified: true, isOperator: who === 'operator' },
        )
        if (user === null) throw new Error('the database was not empty')
        this.people.set(who, { userId: user.id, email, name: person.name })
        const join = (accountId: AccountId, role: Role) =>
          stores.memberships.put(tx, { user_id: user.id, account_id: accountId, role, created_at: clock.now() })
        if (who !== 'operator') await join(this.accountId, who)
        if (who === 'owner') await join(this.otherAccountId, 'developer')
        const links: string[] = []
        for (let made = 0; made < LINKS_EACH; made++) {
          const { code } = await makeLinkCode(
            tx,
            { ...stores, clock },
            {
              ...{ kind: 'welcome', emailNorm: emailNorm(email), accountId: this.accountId, role: null },
              ...{ madeBy: 'test', details: { userId: user.id }, validMs: DAY_MS },
            },
          )
          links.push(`/dashboard#welcome=${code}`)
        }
        this.#links.set(who, links)
      }
    })
  }
}
