// The page that every docUrl leads to: one anchor per error code.
import { ERROR_TABLE } from '#shared/errors.ts'

export function errorPage(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, [status, text]]) =>
      `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td><td>${escapeHtml(text)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ticketrail API errors</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.3rem .8rem .3rem 0;vertical-align:top}tr:target{background:#fff3bf}</style>
</head><body><h1>Errors of the API</h1>
<p>Every error answer is JSON with <code>code</code>, <code>message</code>, <code>status</code>, <code>requestId</code> and <code>docUrl</code>;
<code>errors</code> lists the fields that are wrong. Branch on <code>code</code>, not on <code>message</code>. New codes may be added.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
