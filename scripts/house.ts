// The house in one list: every room, what it does, what it may import. `npm run house` makes the linter's layers, the table and the drawing of it.

export interface Room {
  /** A folder, or the files of one: `shared/*.ts`. */
  room: string
  /** One line without a full stop. */
  does: string
  /** Rooms and single files that it may import besides itself, with a space between them; `shared` is every room of it. */
  imports: string
  /** Packages and modules of Node that it may use. */
  packages: string
  /** A note for the reader of the table that the linter cannot check. */
  note?: string
}

/** From the ground up: a room imports only rooms above it in this list. `shared` first, then each program. */
export const HOUSE: readonly Room[] = [
  {
    room: 'shared/*.ts',
    does: 'ids, money, time, errors, orders, languages: the words of both programs',
    imports: '',
    packages: 'zod pino node:crypto',
  },
  {
    room: 'shared/disk',
    does: 'synced folders, file modes, a reserve of disk space',
    imports: '',
    packages: 'node:fs node:path',
  },
  {
    room: 'shared/cli',
    does: 'the frame of all command lines: help, options, completion, terminal output',
    imports: 'shared/*.ts',
    packages: 'node:fs node:readline/promises node:stream node:tty node:util',
  },
  {
    room: 'shared/local',
    does: 'Unix sockets for programs of this machine',
    imports: '',
    packages: 'node:fs node:net node:path',
  },
  {
    room: 'shared/wire',
    does: 'every message between programs, in zod',
    imports: 'shared/*.ts',
    packages: 'zod zod/mini',
  },
  {
    room: 'shared/sdk',
    does: 'the client of /v1 for developers, published as the npm package ticketrail; its types are made from the OpenAPI document',
    imports: 'shared/*.ts',
    packages: '',
    note: 'nothing of node: it runs in workers too',
  },
  { room: 'shared/tracing', does: 'spans for OpenTelemetry', imports: 'shared/*.ts', packages: '@opentelemetry/**' },
  {
    room: 'shared/escpos',
    does: 'printer bytes to operations, and what stands on paper: preview, tests, virtual printer',
    imports: '',
    packages: '@point-of-sale/codepage-encoder uqr',
  },
  {
    room: 'shared/tickets',
    does: 'order to layout to printer bytes, and the output firewall; pure',
    imports: 'shared/*.ts shared/wire shared/escpos',
    packages: 'escpos-buffer node-thermal-printer zod',
  },
  {
    room: 'shared/raster',
    does: 'draws text that a printer has no characters for, in a worker',
    imports: 'shared/*.ts shared/tickets',
    packages: '@resvg/resvg-wasm bidi-js node:fs node:module node:path node:sea node:worker_threads node:zlib',
  },
  {
    room: 'shared/certificate',
    does: 'certificate files: read and checked',
    imports: 'shared/*.ts',
    packages: 'node:crypto node:fs node:tls',
  },
  {
    room: 'shared/pages',
    does: 'serves a page: its files, cookies, live feed, passwords',
    imports: 'shared/*.ts',
    packages: '@zxcvbn-ts/** fastify node:crypto node:fs node:path node:sea',
  },
  {
    room: 'shared/ui',
    does: 'parts of all pages: frame, forms, notices, theme, languages',
    imports: 'shared/*.ts',
    packages: 'react @mantine/** @tanstack/react-query uqr **/*.css',
  },

  {
    room: 'gateway/storage',
    does: 'SQLite: jobs, tickets and attempts, printers, outages, rules, identity',
    imports: 'shared',
    packages: 'better-sqlite3 node:fs node:path node:crypto node:module node:process node:sea node:zlib zod',
  },
  {
    room: 'gateway/printers',
    does: 'one attempt to print, over TCP or USB, in ESC/POS or Star',
    imports: 'shared',
    packages: 'node:dns node:net node:fs',
  },
  {
    room: 'gateway/discovery',
    does: 'finds printers on the local network',
    imports: 'shared',
    packages: 'multicast-dns node:dgram node:fs node:net node:os',
  },
  {
    room: 'gateway/orders',
    does: 'takes jobs from the relay into the database; forgets old ones',
    imports: 'shared gateway/storage',
    packages: '',
  },
  {
    room: 'gateway/queue',
    does: 'one worker a printer: strict order, retries, marks',
    imports: 'shared gateway/storage gateway/printers',
    packages: '',
  },
  {
    room: 'gateway/kitchen',
    does: 'the displays: board, bumps, which screens are alive',
    imports: 'shared gateway/storage',
    packages: '',
  },
  {
    room: 'gateway/certificate',
    does: 'the certificate of the page: self-signed, or from files',
    imports: 'shared gateway/storage',
    packages: 'node:crypto node:fs node:net node:util',
  },
  {
    room: 'gateway/care',
    does: 'disk space, and the list of what is wrong with the box',
    imports: 'shared gateway/storage gateway/kitchen/station-ways.ts',
    packages: 'node:fs node:path',
  },
  {
    room: 'gateway/link',
    does: 'the MQTT session with the relay, both directions',
    imports: 'shared gateway/storage gateway/orders',
    packages: 'mqtt node:crypto node:fs',
  },
  {
    room: 'gateway/control',
    does: 'what a technician may do: one list of operations, on a Unix socket and the page',
    imports: 'shared gateway/storage gateway/printers gateway/queue gateway/discovery gateway/care',
    packages: 'fastify zod node:crypto node:net node:util node:zlib',
  },
  {
    room: 'gateway/cli',
    does: 'the command line that asks the running gateway',
    imports: 'shared gateway/control',
    packages: 'node:dns/promises node:fs node:http node:net node:path uqr',
  },
  {
    room: 'gateway/http',
    does: 'serves the page behind its sign-in, its live feed, the displays',
    imports: 'shared gateway/storage gateway/queue gateway/kitchen gateway/certificate gateway/control',
    packages: 'fastify node:crypto node:https node:net',
  },
  {
    room: 'gateway/web',
    does: 'the pages: admin for technicians, kitchen for cooks; built by Vite',
    imports: 'shared gateway/control',
    packages: 'react react-dom/** @mantine/** @tanstack/** **/*.css',
    note: 'of `gateway/control` types only',
  },

  {
    room: 'cloud/storage',
    does: 'Kysely on SQLite and PostgreSQL, group commit; one store a noun',
    imports: 'shared',
    packages: 'kysely better-sqlite3 pg node:fs node:path node:crypto node:os node:worker_threads',
  },
  {
    room: 'cloud/limits',
    does: 'budgets of addresses, accounts and gateways',
    imports: 'shared',
    packages: 'node:net',
  },
  {
    room: 'cloud/certificate',
    does: 'certificates of API and broker: read, exchanged, watched until they end',
    imports: 'shared',
    packages: 'node:crypto node:tls',
  },
  {
    room: 'cloud/requests',
    does: 'the request log, in a file of its own',
    imports: 'shared cloud/limits',
    packages: 'better-sqlite3 node:fs node:path node:timers/promises',
  },
  {
    room: 'cloud/replica',
    does: 'several relays on one database: heartbeats, shards, wake-ups',
    imports: 'shared cloud/storage cloud/limits',
    packages: 'pg node:crypto',
  },
  {
    room: 'cloud/outbox',
    does: 'the engine of all sending: claims, leases, attempts, retry schedule',
    imports: 'shared cloud/storage',
    packages: '',
  },
  {
    room: 'cloud/metrics',
    does: 'Prometheus figures, and the port that serves them',
    imports: 'shared cloud/storage',
    packages: 'prom-client zod node:http node:module node:net',
  },
  {
    room: 'cloud/backup',
    does: 'copies of the SQLite file: made beside the relay, verified, restored',
    imports: 'shared cloud/storage',
    packages: 'better-sqlite3 zod node:crypto node:events node:fs node:os node:path node:worker_threads',
  },
  {
    room: 'cloud/auth',
    does: 'API keys, scopes, rotation, access to merchants',
    imports: 'shared cloud/storage',
    packages: 'node:crypto',
  },
  { room: 'cloud/billing', does: 'plans, the meter, invoices', imports: 'shared cloud/storage', packages: 'zod' },
  {
    room: 'cloud/webhooks',
    does: 'events, endpoints, signatures, deliveries, recovery, forbidden targets',
    imports: 'shared cloud/storage cloud/limits cloud/outbox',
    packages: 'undici node:crypto node:dns/promises node:net',
  },
  {
    room: 'cloud/catalog',
    does: 'items: silenced, restored, counted; channels and what their platforms get',
    imports: 'shared cloud/storage cloud/webhooks cloud/outbox',
    packages: 'node:crypto',
  },
  {
    room: 'cloud/orders',
    does: 'inject, totals, order states, print results',
    imports: 'shared cloud/storage cloud/webhooks cloud/catalog cloud/outbox',
    packages: 'node:crypto',
  },
  {
    room: 'cloud/retention',
    does: 'old orders: exported, verified on disk, deleted',
    imports: 'shared cloud/storage',
    packages: 'node:fs/promises node:path node:util node:zlib',
  },
  {
    room: 'cloud/pairing',
    does: 'claim codes, claims, printers proposed to gateways',
    imports: 'shared cloud/storage',
    packages: 'node:crypto',
  },
  {
    room: 'cloud/relay',
    does: 'broker, dispatcher, reports, registry of gateways, their passwords',
    imports: 'shared cloud/storage cloud/limits cloud/certificate',
    packages: 'aedes mqtt ws node:net node:http node:crypto node:fs/promises node:stream node:util node:tls',
  },
  {
    room: 'cloud/sandbox',
    does: 'test merchants of each account, the simulated kitchen and its paper',
    imports: 'shared cloud/storage cloud/auth cloud/relay cloud/catalog',
    packages: '',
  },
  {
    room: 'cloud/transfer',
    does: 'the move from SQLite to PostgreSQL: one transaction, compared at the end',
    imports: 'shared cloud/storage cloud/backup',
    packages: 'better-sqlite3 node:crypto node:fs node:path',
  },
  {
    room: 'cloud/notices',
    does: 'mail and alerts: their texts, their rules, their outbox',
    imports:
      'shared cloud/storage cloud/billing/months.ts cloud/billing/plans.ts cloud/outbox cloud/webhooks/record-event.ts cloud/webhooks/secret-box.ts',
    packages: 'nodemailer/** node:stream',
  },
  {
    room: 'cloud/telephony',
    does: 'telephone companies: their hooks verified, read and answered, numbers wired, text messages, recordings; the simulated one',
    imports: 'shared',
    packages: 'saxes undici zod node:crypto node:fs/promises node:path',
  },
  {
    room: 'cloud/texts',
    does: 'text messages: written, limited, sent; who wants none; what customers are told when an order is ready',
    imports:
      'shared cloud/storage cloud/outbox cloud/orders cloud/notices cloud/telephony cloud/webhooks/secret-box.ts',
    packages: 'libphonenumber-js/max',
  },
  {
    room: 'cloud/receptionist',
    does: 'answers calls: the call machine, knowledge, orders by voice, voicemail to text',
    imports: 'shared cloud/storage cloud/outbox cloud/webhooks cloud/orders cloud/telephony cloud/texts',
    packages:
      'zod minisearch libphonenumber-js/max undici node:crypto node:child_process node:fs node:fs/promises node:module node:os node:path node:process node:url',
  },
  {
    room: 'cloud/people',
    does: 'sign-in to the dashboard: sessions, passwords, passkeys, codes, invitations',
    imports: 'shared cloud/storage cloud/notices cloud/webhooks/secret-box.ts cloud/sandbox',
    packages: '@simplewebauthn/server zod node:crypto',
  },
  {
    room: 'cloud/control',
    does: 'what people may do: one list of operations for the dashboard and the operator',
    imports:
      'shared cloud/storage cloud/auth cloud/billing cloud/catalog cloud/metrics cloud/notices cloud/orders cloud/pairing cloud/people cloud/receptionist cloud/relay cloud/requests cloud/sandbox cloud/telephony cloud/texts cloud/webhooks',
    packages: 'zod node:crypto',
  },
  {
    room: 'cloud/cli',
    does: 'ticketrail, the command line for client developers',
    imports:
      'shared/*.ts shared/cli shared/sdk shared/wire/webhook-event-names.ts shared/wire/device-sign-in.ts shared/wire/api/listeners.ts',
    packages:
      'node:child_process node:crypto node:dns/promises node:fs node:http node:https node:os node:path zod/mini',
  },
  {
    room: 'cloud/admin',
    does: "the operator's command line",
    imports:
      'shared cloud/storage cloud/auth cloud/backup cloud/billing cloud/transfer cloud/webhooks cloud/control cloud/people',
    packages: 'zod node:fs node:net node:path',
  },
  {
    room: 'cloud/api',
    does: 'the /v1 routes, the OpenAPI document, the pages for developers, the routes of the dashboard',
    imports:
      'shared cloud/storage cloud/limits cloud/auth cloud/billing cloud/webhooks cloud/catalog cloud/orders cloud/pairing cloud/sandbox cloud/certificate cloud/control cloud/people cloud/receptionist cloud/requests cloud/telephony',
    packages:
      'fastify zod marked minisearch node:crypto node:fs node:fs/promises node:http node:path node:stream node:timers/promises node:zlib',
  },
  {
    room: 'cloud/web',
    does: 'the dashboard: its pages; built by Vite',
    imports: 'shared cloud/control',
    packages: 'react react-dom/** @mantine/** @tanstack/** @simplewebauthn/browser uplot **/*.css',
    note: 'of `cloud/control` types, and the table of roles',
  },
]
