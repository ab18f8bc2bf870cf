// /docs/reference: the OpenAPI document drawn for people. Everything on it comes from the document.
import { curlOf } from './curl.ts'
import { EXAMPLES } from './examples.ts'
import { escapeHtml, inline, paragraphs } from './html.ts'
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Ref,
  refName,
} from './json-schema.ts'
import { docsFramed } from './page-frame.ts'
import { parameterView, schemaView } from './schema-view.ts'

interface Entry {
  method: string
  path: string
  operation: Operation
}

export function referencePage(document: OpenApiDocument): string {
  const entries = entriesOf(document)
  const tags = document.tags.filter((tag) => entries.some((entry) => entry.operation.tags.includes(tag.name)))
  const groups = tags.map((tag) => ({ ...tag, entries: entries.filter((e) => e.operation.tags.includes(tag.name)) }))
  const sections = groups.map(
    (group) => `<h2 id="${group.name}">${group.name}</h2>
<p>${inline(group.description)}</p>
${group.entries.map((entry) => operationView(document, entry)).join('\n')}`,
  )
  return docsFramed({
    title: 'Ticketrail API reference',
    list: sideList(document, groups),
    main: [introduction(document), ...sections, eventsSection(document), schemasSection(document), FOOTER].join('\n'),
  })
}

function entriesOf({ paths }: OpenApiDocument): Entry[] {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  // In the order of the examples, which is the order in which a client meets them.
  const order = Object.keys(EXAMPLES)
  const rank = ({ method, path }: Entry) => (order.indexOf(`${method} ${path}`) + order.length + 1) % (order.length + 1)
  return entries.sort((a, b) => rank(a) - rank(b))
}

function sideList(document: OpenApiDocument, groups: readonly { name: string; entries: readonly Entry[] }[]): string {
  const item = (href: string, text: string, verb = '') =>
    `<li><a href="${href}">${verb === '' ? '' : verbOf(verb)}<span>${escapeHtml(text)}</span></a></li>`
  const parts = groups.map(
    ({ name, entries }) =>
      `<strong>${name}</strong><ul>${entries.map((e) => item(`#${e.operation.operationId}`, shortOf(e.operation), e.method)).join('')}</ul>`,
  )
  parts.unshift(`<ul>${item('/docs', 'All docs')}</ul>`)
  const events = Object.keys(document.webhooks).map((type) => item(`#event-${type}`, type))
  parts.push(`<strong>Events</strong><ul>${events.join('')}</ul>`)
  parts.push(
    `<strong>More</strong><ul>${item('#schemas', 'Schemas')}${item('/docs/errors', 'Error codes')}${item('/v1/openapi.json', 'openapi.json')}</ul>`,
  )
  return parts.join('\n')
}

function introduction({ info, servers }: OpenApiDocument): string {
  return `<h1>${escapeHtml(info.title)}</h1>
${paragraphs(info.description)}
<p>Address of this server: <code>${escapeHtml(servers[0]?.url ?? '')}</code>. The same reference for machines: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1). Every error has its own entry under <a href="/docs/errors">error codes</a>.</p>
<p>The examples take your key from the shell: <code>export TICKETRAIL_API_KEY=sk_sandbox_...</code></p>`
}

function operationView(document: OpenApiDocument, { method, path, operation }: Entry): string {
  const view = { schemas: document.components.schemas, direction: 'request' } as const
  const parameters = (operation.parameters ?? []).map((one) => parameterOf(document, one))
  const body = operation.requestBody
  const facts = [
    scopesInWords(operation['x-scope'] ?? []),
    ...(operation['x-sandbox-only'] === true ? ['sandbox keys only'] : []),
  ]
  const groups = (['path', 'query', 'header'] as const).map((place) => {
    const some = parameters.filter((one) => one.in === place)
    return some.length === 0 ? '' : `<h4>${PLACES[place]}</h4>${parameterView(some, view)}`
  })
  const request = body
    ? `<h4>Body${body.required ? '' : ' (may be left out)'}</h4>${schemaView(body.content['application/json']?.schema ?? {}, view)}`
    : ''
  return `<section class="card" id="${operation.operationId}" aria-labelledby="h-${operation.operationId}">
<h3 id="h-${operation.operationId}"><a class="anchor" href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></h3>
<p class="path">${verbOf(method)}<code>${escapeHtml(path)}</code></p>
<ul class="facts">${facts.map((fact) => `<li>${fact}</li>`).join('')}</ul>
${operation.description ? paragraphs(operation.description) : ''}
${groups.join('')}${request}
${exampleView(document, { method, path, operation })}
${answersView(document, operation)}
</section>`
}

function scopesInWords(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'any valid key'
  return `${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((one) => `<code>${one}</code>`).join(' and ')}`
}

/** The summary up to its first semicolon or ", newest first": the list has little room. */
const shortOf = ({ summary }: Operation) => summary.split(/;|, newest/, 1)[0] ?? summary

const PLACES = { path: 'Path', query: 'Query', header: 'Header' } as const

function parameterOf(document: OpenApiDocument, one: Parameter | Ref): Parameter {
  if (!('$ref' in one)) return one
  const found = document.components.parameters[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`${one.$ref} leads nowhere`)
  return found
}

function exampleView(document: OpenApiDocument, { method, path }: Entry): string {
  const example = EXAMPLES[`${method} ${path}`]
  if (!example) return ''
  const text = curlOf(document.servers[0]?.url ?? '', method, { path, example })
  return `<h4>Example</h4><pre><code>${escapeHtml(text)}</code></pre>`
}

function answersView({ components }: OpenApiDocument, operation: Operation): string {
  const parts: string[] = []
  const codes: string[] = []
  for (const [status, response] of Object.entries(operation.responses)) {
    if (response['x-error-codes']) {
      for (const code of response['x-error-codes'])
        codes.push(
          `<li><span class="status">${status}</span> <a href="/docs/errors#${code}"><code>${code}</code></a></li>`,
        )
      continue
    }
    const types = Object.entries(response.content ?? {})
    const json = response.content?.['application/json']
    parts.push(`<h4>Answer <span class="status-badge">${status}</span></h4>`)
    if (types.length === 0) parts.push(`<p>${inline(response.description)}.</p>`)
    else if (!json) parts.push(`<p>${types.map(([type]) => `<code>${escapeHtml(type)}</code>`).join(', ')}</p>`)
    else
      parts.push(
        schemaView(json.schema, { schemas: components.schemas, direction: 'answer' }),
        answerExample(json.example),
      )
  }
  parts.push(
    `<details><summary>${codes.length} error codes</summary><ul class="codes inner">${codes.join('')}</ul></details>`,
  )
  return parts.join('\n')
}

function answerExample(example: unknown): string {
  if (example === undefined) return ''
  return `<details><summary>example</summary><pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre></details>`
}

function eventsSection(document: OpenApiDocument): string {
  const view = { schemas: document.components.schemas, direction: 'answer' } as const
  const cards = Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema ?? {}
    const data = document.components.schemas[refName(schema.$ref ?? '')]?.properties?.['data'] ?? {}
    return `<section class="card" id="event-${type}" aria-labelledby="h-${type}">
<h3 id="h-${type}"><a class="anchor" href="#event-${type}"><code>${type}</code></a></h3>
<p>${inline(post.summary)}.</p>
<h4>In <code>data</code></h4>${schemaView(data, view)}
</section>`
  })
  return `<h2 id="events">Events</h2>
<p>A POST to your endpoint for each event: the envelope <a href="#schema-WebhookEvent">WebhookEvent</a> with the <code>data</code> of its type. Check <code>X-Service-Signature</code>, the hexadecimal HMAC-SHA256 of the raw body keyed with the endpoint’s secret, in constant time before you trust it. Any answer but 2xx is tried again after 1 and 5 minutes, half an hour, 2 and 12 hours; each event comes at least once, so look at its <code>id</code>.</p>
<h3 class="minor">Headers</h3>${parameterView(headersOfEvents(document), view)}
${cards.join('\n')}`
}

/** All events have the same. */
function headersOfEvents(document: OpenApiDocument): Parameter[] {
  const [first] = Object.values(document.webhooks)
  return (first?.post.parameters ?? []).map((one) => parameterOf(document, one))
}

function schemasSection({ components }: OpenApiDocument): string {
  const cards = Object.entries(components.schemas).map(
    ([name, schema]) => `<section class="card" id="schema-${name}" aria-labelledby="hs-${name}">
<h3 id="hs-${name}"><a class="anchor" href="#schema-${name}">${name}</a></h3>
${schemaView(schema, { schemas: components.schemas, direction: isSent(schema) ? 'request' : 'answer' })}</section>`,
  )
  return `<h2 id="schemas">Schemas</h2>\n${cards.join('\n')}`
}

/** Requests refuse unknown fields; answers allow them. */
const isSent = (schema: JsonSchema) => schema.additionalProperties === false

const verbOf = (method: string) =>
  `<span class="verb ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`

const FOOTER = '<footer><p>Made from the schemas that the server itself checks by.</p></footer>'
