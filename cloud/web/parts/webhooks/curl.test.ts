// Commands for a terminal: the shell passes exactly the intended arguments, whatever a body contains.
import { expect, test } from 'vitest'
import { curlOf, quoted } from './curl.ts'

const HOSTILE = `it's "$HOME" \`id\` $(id) \\ \n 你好 '; rm -rf /`

test('every text survives quoting unchanged', () => {
  for (const text of ['', "'", "''", HOSTILE]) expect(quoted(text)).toBe(`'${text.split("'").join("'\\''")}'`)
})

test('a request is one command, and the key is left to the shell', () => {
  const headers = { authorization: 'Bearer $TICKETRAIL_API_KEY', 'content-type': 'application/json' }
  expect(curlOf({ method: 'POST', url: 'https://relay.test/v1/order/inject', headers, body: '{"note":"it\'s"}' })).toBe(
    [
      "curl -X POST 'https://relay.test/v1/order/inject' \\",
      '  -H "authorization: Bearer $TICKETRAIL_API_KEY" \\',
      "  -H 'content-type: application/json' \\",
      `  --data-raw '{"note":"it'\\''s"}'`,
    ].join('\n'),
  )
})
