// /docs/errors: the page that every docUrl leads to, one anchor per error code.

import { ERROR_HELP } from '#shared/error-help.ts'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { Components } from './components.ts'
import { errorDetails } from './error-codes.ts'
import { escapeHtml, inline } from './html.ts'
import type { OpenApiDocument } from './json-schema.ts'
import { docsFramed } from './page-frame.ts'
import { schemaView } from './schema-view.ts'

export function errorPage(document: OpenApiDocument): string {
  const groups = Object.entries(Object.groupBy(Object.keys(ERROR_TABLE) as ErrorCode[], familyOf))
  const list = groups.map(
    ([family, codes = []]) =>
      `<strong>${FAMILIES[family as Family]}</strong><ul>${codes.map((code) => `<li><a href="#${code}">${code}</a></li>`).join('')}</ul>`,
  )
  const sections = groups.map(
    ([family, codes = []]) =>
      `<h2 id="${family}">${FAMILIES[family as Family]}</h2>\n${codes.map((code) => card(code, document)).join('\n')}`,
  )
  return docsFramed({
    title: 'Ticketrail API errors',
    list: `<ul><li><a href="/docs">All docs</a></li><li><a href="/docs/reference">API reference</a></li></ul>\n${list.join('\n')}`,
    main: `<h1>Error codes</h1>\n${INTRODUCTION}\n${sections.join('\n')}`,
  })
}

/** The part before the point: `order` of `order.not_found`. */
type FamilyOf<Code> = Code extends `${infer Name}.${string}` ? Name : never
type Family = FamilyOf<ErrorCode>

const familyOf = (code: ErrorCode) => code.slice(0, code.indexOf('.')) as Family

/** Titles of the groups: each has one. */
const FAMILIES: Readonly<Record<Family, string>> = {
  auth: 'Keys',
  merchant: 'Merchants',
  ums: 'Menu items',
  order: 'Orders',
  printer: 'Printers',
  rate_limit: 'Rate limits',
  internal: 'Our faults',
  request: 'Requests',
  channel: 'Channels',
  location: 'Locations',
  print_job: 'Print jobs',
  ticket: 'Sandbox tickets',
  webhook: 'Webhooks',
  event: 'Events',
  key: 'Revoking keys',
  gateway: 'Gateways',
  request_log: 'The log of requests',
  service: 'Availability',
}

const INTRODUCTION = `<p>Every error is JSON with the same fields. Branch on <code>code</code>, not on <code>message</code>; new codes may be added, so treat one that you do not know by its HTTP status.</p>
<pre><code>{
  "code": "request.invalid",
  "message": "The request does not match the schema.",
  "status": 422,
  "requestId": "req_01kaj2vq8ze3s9vd2m4xw7rbtn",
  "docUrl": "https://.../docs/errors#request.invalid",
  "errors": [{ "field": "items[0].qty", "message": "must be 1 or more" }]
}</code></pre>
<p><code>errors</code> is present if fields are invalid. <code>requestId</code> is the same as in the header <code>X-Request-Id</code>: include it when you report a problem.</p>`

function card(code: ErrorCode, document: OpenApiDocument): string {
  const [status, text] = ERROR_TABLE[code]
  const { todo, retry } = ERROR_HELP[code]
  return `<section class="card" id="${code}" aria-labelledby="h-${code}">
<h3 id="h-${code}"><a class="anchor" href="#${code}"><code>${code}</code></a> <span class="status-badge">${status}</span></h3>
<p>${inline(text)}</p>
<p><strong>What to do:</strong> ${inline(todo)}</p>
<ul class="facts"><li>${retry === 'later' ? 'send it again after a pause' : 'sending the same again does not help'}</li></ul>
${details(code, document)}${operations(code, document)}
</section>`
}

function details(code: ErrorCode, document: OpenApiDocument): string {
  const fields = errorDetails(code, new Components())
  if (fields === null) return ''
  return `<h4>Further fields</h4>${schemaView(fields, { schemas: document.components.schemas, direction: 'answer', page: '/docs/reference' })}`
}

/** The operations with this code, when it is not nearly all of them. */
function operations(code: ErrorCode, { paths }: OpenApiDocument): string {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  const some = all.filter((one) => Object.values(one.responses).some((r) => r['x-error-codes']?.includes(code)))
  if (some.length === 0)
    return code.startsWith('gateway.')
      ? '<p class="type">For a gateway that is paired; no call of the reference answers it.</p>'
      : ''
  if (some.length > all.length / 2) return '<p class="type">Most operations may answer it.</p>'
  const links = some.map((one) => `<a href="/docs/reference#${one.operationId}">${escapeHtml(one.summary)}</a>`)
  return `<h4>Answered by</h4><p>${links.join(' · ')}</p>`
}
