// An example request as a command line that can be pasted into a shell.
import type { ExampleRequest } from './examples.ts'

/** `/v1/order/{serviceOrderId}` with the example's values and query. */
export function exampleUrl(path: string, { params = {}, query = {} }: ExampleRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => encodeURIComponent(params[name] ?? whole))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** @param server the relay's address, without a slash at the end */
export function curlOf(
  server: string,
  method: string,
  { path, example }: { path: string; example: ExampleRequest },
): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(server + exampleUrl(path, example))}`]
  // In double quotes: the shell puts the key in.
  lines.push('-H "Authorization: Bearer $TICKETRAIL_API_KEY"')
  if (example.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(example.body, null, 2))}`)
  }
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
