// What the pages of the documents have in common: the frame, the style sheet and the policy that lets nothing else in. No script, nothing from elsewhere.
import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'

const STYLE = `
:root{color-scheme:light dark;--text:#1d2430;--soft:#556070;--back:#fff;--panel:#f5f6f8;--line:#d9dde3;--link:#0b5cad;--mark:#fff3c4;
--get:#116329;--post:#0b5cad;--put:#8a5300;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ee;--soft:#a6b0bd;--back:#14181f;--panel:#1d232c;--line:#353d49;--link:#7cb7ff;--mark:#4a3f12;
--get:#6fd08c;--post:#7cb7ff;--put:#f0b35a;--delete:#ff9088}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--text);background:var(--back)}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
p code,li code,dd code,td code{background:var(--panel);padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;margin:.4rem 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 1rem}
h2{font-size:1.5rem;margin:3.5rem 0 .5rem;padding-top:.5rem;border-top:3px solid var(--line)}
h3{font-size:1.15rem;margin:0 0 .3rem}
h4{font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.3rem 0 .3rem}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem 1rem;z-index:2}
.frame{display:grid;grid-template-columns:17.5rem minmax(0,1fr);max-width:80rem;margin:0 auto}
.side{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1rem 3rem 1.25rem;border-right:1px solid var(--line);font-size:.9rem}
.side strong{display:block;margin:1.1rem 0 .2rem}
.side ul{list-style:none;margin:0;padding:0}
.side li a{display:flex;gap:.5rem;padding:.22rem .4rem;border-radius:5px;color:var(--text);text-decoration:none;align-items:baseline}
.side li a:hover{background:var(--panel);text-decoration:underline}
.brand{font-weight:700;font-size:1.05rem;color:var(--text);text-decoration:none}
.bar{display:none}
main{padding:1.5rem 2rem 6rem;min-width:0;max-width:60rem}
.verb{font:700 .7rem/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;min-width:3.4em;color:var(--soft)}
.verb.get{color:var(--get)}.verb.post{color:var(--post)}.verb.put,.verb.patch{color:var(--put)}.verb.delete{color:var(--delete)}
.card{border:1px solid var(--line);border-radius:10px;padding:1.1rem 1.25rem;margin:1.25rem 0}
.card:target{border-color:var(--link);box-shadow:0 0 0 2px var(--link)}
.path{display:flex;flex-wrap:wrap;gap:.25rem .7rem;align-items:baseline;margin:0 0 .5rem;overflow-wrap:anywhere}
.path .verb{font-size:.85rem;min-width:0}.path code{font-size:.95rem;font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:.3rem .5rem;padding:0;margin:.2rem 0 .8rem;list-style:none;font-size:.85rem}
.facts li{border:1px solid var(--line);border-radius:1rem;padding:.05rem .7rem}
.anchor{color:inherit;text-decoration:none}.anchor:hover{text-decoration:underline}
dl.fields{margin:.2rem 0 .6rem;border-top:1px solid var(--line)}
dl.fields>div{padding:.4rem 0;border-bottom:1px solid var(--line)}
dl.fields dt{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:baseline}
dl.fields dt code{font-weight:600;overflow-wrap:anywhere}
dl.fields dd{margin:0}
.type{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.type a{display:inline-block;padding:.2rem 0}
.must{color:var(--delete);font-size:.78rem;font-weight:600}
.inner{margin:.3rem 0 .3rem .2rem;padding-left:.9rem;border-left:2px solid var(--line)}
summary{cursor:pointer;color:var(--link)}
.codes{list-style:none;margin:.2rem 0;padding:0;font-size:.92rem}
.codes li{padding:.15rem 0}.codes .status{display:inline-block;min-width:2.6rem;color:var(--soft);font-variant-numeric:tabular-nums}
.status-badge{font-size:.85rem;font-weight:600;border:1px solid var(--line);border-radius:5px;padding:0 .45rem;white-space:nowrap}
footer{margin-top:4rem;color:var(--soft);font-size:.9rem}
@media(max-width:860px){.frame{display:flex;flex-direction:column}.side{order:2;position:static;height:auto;border-right:0;border-top:3px solid var(--line);font-size:1rem}
.side li a{padding:.5rem .4rem}.bar{display:block;position:sticky;top:0;z-index:1;background:var(--back);border-bottom:1px solid var(--line);padding:.9rem 1rem;font-weight:600}html{scroll-padding-top:4rem}
main{padding:1rem 1rem 4rem}.card{padding:.9rem .9rem}h1{font-size:1.55rem}h2{font-size:1.3rem}}
@media print{.side,.bar{display:none}.frame{display:block}}
`

/** `content-security-policy` of the pages: one style sheet, known by its hash, the icon, and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface Page {
  title: string
  /** HTML of the list of what stands on the page. */
  list: string
  /** HTML of the page itself, beginning with its h1. */
  main: string
  /** HTML that stands in the head beside the title. */
  head?: string
  /** In another language than English: that, and the words of the frame. */
  lang?: string
  words?: { skip: string; contents: string; bar: string }
}

/** The whole document. The list stands at the side; on a narrow screen at the end, a step from the bar that stays at the top. */
export function framed({ title, list, main, head = '', lang = 'en', words = ENGLISH }: Page): string {
  return `<!doctype html>
<html lang="${escapeHtml(lang)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${STYLE}</style></head>
<body><a class="skip" href="#main">${escapeHtml(words.skip)}</a>
<a class="bar" href="#contents">${escapeHtml(words.bar)}</a>
<div class="frame">
<nav class="side" id="contents" aria-label="${escapeHtml(words.contents)}">${BRAND}
${list}</nav>
<main id="main">${main}</main>
</div></body></html>
`
}

const ENGLISH = { skip: 'To the content', contents: 'Contents', bar: 'Ticketrail API: contents' }

const BRAND = '<a class="brand" href="/docs">Ticketrail API</a>'
