// What the public pages have in common: the frame, the style sheet and the policy that lets nothing else in. Nothing comes from elsewhere.
import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'

const STYLE = `
:root{color-scheme:light dark;--text:#1d2430;--soft:#556070;--back:#fff;--panel:#f5f6f8;--line:#d9dde3;--link:#0b5cad;--edge:#868f9c;--mark:#fff3c4;--shade:#0003;
--get:#116329;--post:#0b5cad;--put:#8a5300;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ee;--soft:#a6b0bd;--back:#14181f;--panel:#1d232c;--line:#353d49;--link:#7cb7ff;--edge:#74808f;--mark:#4a3f12;--shade:#000c;
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
h3{font-size:1.15rem;margin:0 0 .3rem;overflow-wrap:anywhere}
h4,h3.minor{font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.3rem 0 .3rem}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem 1rem;z-index:3}
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
.top{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:.5rem 1.25rem;flex-wrap:wrap;background:var(--back);border-bottom:1px solid var(--line);padding:.6rem max(1.25rem,calc(50vw - 46.75rem))}
.top a{color:var(--text);text-decoration:none;padding:.25rem 0}.top a:hover{text-decoration:underline}.top .brand{margin-right:auto}
.top .menu{display:none}
.top form{display:flex;gap:.4rem}
.top input{font:inherit;font-size:.9rem;color:var(--text);background:var(--panel);border:1px solid var(--edge);border-radius:7px;padding:.35rem .7rem;width:16rem;min-width:0}
.top input::placeholder{color:var(--soft);opacity:1}
.top button,.copy,.button{font:inherit;font-size:.9rem;color:var(--text);background:var(--panel);border:1px solid var(--edge);border-radius:7px;padding:.35rem .8rem;cursor:pointer}
.top input:focus-visible,button:focus-visible,pre:focus-visible,.table:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.has-top{scroll-padding-top:4.5rem}
.has-top .side{top:3.6rem;height:calc(100vh - 3.6rem)}
.has-top .frame{max-width:96rem}
.side a[aria-current]{background:var(--panel);font-weight:600;box-shadow:inset 3px 0 var(--link)}
.has-toc{grid-template-columns:17.5rem minmax(0,1fr) 15rem}
.toc{position:sticky;top:3.6rem;height:calc(100vh - 3.6rem);overflow-y:auto;padding:2rem 1rem;font-size:.85rem}
.toc ul{list-style:none;margin:.4rem 0;padding:0}.toc li a{display:block;padding:.2rem 0;color:var(--soft);text-decoration:none}
.toc li a:hover{color:var(--text);text-decoration:underline}.toc a[aria-current]{color:var(--text);font-weight:600}.toc .of-3{padding-left:.9rem}
.doc h2{border-top:1px solid var(--line);font-size:1.4rem;margin-top:2.75rem;padding-top:1.25rem}.doc h3{margin-top:2rem}
.doc li{margin:.25rem 0}
.lead{font-size:1.2rem;color:var(--soft);max-width:44rem}
.button{display:inline-block;background:var(--link);border-color:var(--link);color:var(--back);text-decoration:none;font-weight:600;padding:.5rem 1.1rem}
.button.plain{background:none;color:var(--link)}
.cards{list-style:none;padding:0;margin:1rem 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.8rem}
.cards li{display:grid}.cards a{border:1px solid var(--line);border-radius:10px;padding:.9rem 1.1rem;color:var(--text);text-decoration:none}
.cards a:hover{border-color:var(--link)}.cards strong{display:block;color:var(--link)}.cards span{font-size:.9rem;color:var(--soft)}
.calls{list-style:none;padding:0}.calls li{padding:.15rem 0}.calls a{display:inline-flex;gap:.5rem;align-items:baseline;text-decoration:none;overflow-wrap:anywhere}.calls a:hover{text-decoration:underline}
.calls li:target{background:var(--mark)}
.found{padding-left:1.4rem}.found li{margin:1.1rem 0}.found a{font-weight:600;font-size:1.05rem}.found p{margin:.15rem 0;overflow-wrap:anywhere}
mark{background:var(--mark);color:inherit;border-radius:3px;padding:0 .1em}
.code{position:relative;margin:.6rem 0 1.2rem}
.doc .code pre{margin:0;white-space:pre;overflow-x:auto;overflow-wrap:normal}
.code .file{margin:0;border:1px solid var(--line);border-bottom:0;border-radius:8px 8px 0 0;padding:.35rem 1rem;font:600 .8rem/1.4 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;color:var(--soft)}
.code .file+pre{border-radius:0 0 8px 8px}
.copy{position:absolute;top:.4rem;right:.4rem;font-size:.78rem;padding:.15rem .6rem;background:var(--back)}
.copy:hover{border-color:var(--link)}.file~.copy{top:.22rem}
.table{overflow-x:auto;margin:.8rem 0 1.2rem;background:linear-gradient(90deg,var(--back) 40%,transparent) 0 0/3rem 100% no-repeat local,linear-gradient(270deg,var(--back) 40%,transparent) 100% 0/3rem 100% no-repeat local,linear-gradient(90deg,var(--shade),transparent) 0 0/.8rem 100% no-repeat,linear-gradient(270deg,var(--shade),transparent) 100% 0/.8rem 100% no-repeat}
table{border-collapse:collapse;font-size:.93rem}th,td{text-align:left;vertical-align:top;padding:.45rem .8rem .45rem 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
.c-comment{color:var(--soft)}.c-string{color:var(--get)}.c-keyword{color:var(--post)}.c-number{color:var(--put)}
.steps{display:flex;justify-content:space-between;gap:1rem;margin-top:3rem}.steps a{border:1px solid var(--line);border-radius:10px;padding:.6rem 1rem;text-decoration:none;font-weight:600}
.steps a span{display:block;font-weight:400;font-size:.8rem;color:var(--soft)}.steps a:hover{border-color:var(--link)}
@media(min-width:1241px) and (max-width:1400px){.plain pre{font-size:.7rem;padding:.8rem .5rem}.plain code{font-size:1em}}
@media(max-width:1240px){.has-toc{grid-template-columns:17.5rem minmax(0,1fr)}.toc{display:none}}
@media(max-width:860px){.frame,.has-toc{display:flex;flex-direction:column}.side,.has-top .side{order:2;position:static;height:auto;border-right:0;border-top:3px solid var(--line);font-size:1rem}
.side li a{padding:.5rem .4rem}.bar{display:block;position:sticky;top:0;z-index:1;background:var(--back);border-bottom:1px solid var(--line);padding:.9rem 1rem;font-weight:600}html{scroll-padding-top:4rem}
main{padding:1rem 1rem 4rem}.table table{min-width:38rem}.copy,.file~.copy{position:static;display:block;margin:.3rem 0 0 auto}.card{padding:.9rem .9rem}h1{font-size:1.55rem}h2{font-size:1.3rem}
.top{padding:.6rem 1rem}.top .menu{display:block}.top .far{display:none}.has-top .side{display:none;order:0;border:0;border-bottom:3px solid var(--line)}.has-top .side:target,.has-top.menu-open .side{display:block}.top form{order:3;flex:1 0 100%;min-width:0}.top input{flex:1;width:auto;font-size:1rem}.has-top{scroll-padding-top:7rem}}
@media print{.side,.bar,.top,.toc,.copy{display:none}.frame{display:block}}
`

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyWith = (...more: readonly string[]) =>
  [
    "default-src 'none'",
    `style-src ${sha256(STYLE)}`,
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')

/** `content-security-policy` of pages without a script: one style sheet, known by its hash, the icon, and nothing else. */
export const PAGE_POLICY = policyWith("form-action 'none'")

/** Whatever it does, the page can be read without it: copy buttons, the keys of the search, the menu of a narrow screen as a button, where the reader is, and the way of old links to the reference. */
const SCRIPT = `
const old=location.hash.slice(1)
if(location.pathname==='/docs'&&old&&old!=='main'&&old!=='contents'&&old!=='calls')location.replace('/docs/reference'+location.hash)
for(const pre of document.querySelectorAll('pre')){
if(pre.parentElement.className==='code plain')continue
const box=pre.parentElement.className==='code'?pre.parentElement:document.createElement('div')
if(box!==pre.parentElement){box.className='code';pre.replaceWith(box);box.append(pre)}
const button=document.createElement('button');button.type='button';button.className='copy';button.textContent='Copy'
button.addEventListener('click',async()=>{
try{await navigator.clipboard.writeText(pre.innerText);button.textContent='Copied'}
catch{getSelection().selectAllChildren(pre);button.textContent=document.execCommand('copy')?'Copied':'Press Ctrl+C'}
setTimeout(()=>{button.textContent='Copy'},2000)})
box.append(button)}
document.addEventListener('keydown',(event)=>{
const isSlash=event.key==='/'&&!event.ctrlKey&&!event.metaKey&&!event.altKey&&!/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)
if(!isSlash&&!(event.key.toLowerCase()==='k'&&(event.ctrlKey||event.metaKey)&&!event.altKey&&!event.shiftKey))return
event.preventDefault();document.querySelector('.top input').select()})
const menu=document.querySelector('.menu'),page=document.documentElement
menu.setAttribute('role','button');menu.setAttribute('aria-controls','contents');menu.setAttribute('aria-expanded','false')
menu.addEventListener('click',(event)=>{
event.preventDefault()
const isOpen=page.classList.toggle('menu-open');menu.setAttribute('aria-expanded',String(isOpen));if(isOpen)scrollTo(0,0)})
menu.addEventListener('keydown',(event)=>{if(event.key===' '){event.preventDefault();menu.click()}})
const toc=[...document.querySelectorAll('.toc a')].map((link)=>[link,document.getElementById(decodeURIComponent(link.hash.slice(1)))])
const mark=()=>{
const here=toc.findLast(([,heading])=>heading.getBoundingClientRect().top<120)
for(const one of toc)if(one===here)one[0].setAttribute('aria-current','location');else one[0].removeAttribute('aria-current')}
if(toc.length>0){addEventListener('scroll',mark,{passive:true});mark()}
`

/** Of the pages for developers, which have that script and the form of the search. */
export const DOCS_POLICY = policyWith(`script-src ${sha256(SCRIPT)}`, "form-action 'self'")

export interface Page {
  title: string
  /** HTML of the list of pages, or of the contents of this page. */
  list: string
  /** HTML of the page itself, beginning with its h1. */
  main: string
  /** HTML for the head, beside the title. */
  head?: string
}

export interface PlainPage extends Page {
  lang: string
  words: { skip: string; contents: string; bar: string }
}

/** A page without a script. The list is at the side; on a narrow screen at the end, one step from the bar that stays at the top. */
export function framed({ title, list, main, head = '', lang, words }: PlainPage): string {
  return `<!doctype html>
<html lang="${escapeHtml(lang)}">${headOf(title, head)}
<body><a class="skip" href="#main">${escapeHtml(words.skip)}</a>
<a class="bar" href="#contents">${escapeHtml(words.bar)}</a>
<div class="frame">
<nav class="side" id="contents" aria-label="${escapeHtml(words.contents)}"><a class="brand" href="/docs">Ticketrail API</a>
${list}</nav>
<main id="main">${main}</main>
</div></body></html>
`
}

export interface DocsPage extends Page {
  /** HTML for the right side of the page, where there is room. */
  aside?: string
  /** What was searched for. */
  query?: string
}

/** A page for developers: with the search at the top. */
export function docsFramed({ title, list, main, head = '', aside = '', query = '' }: DocsPage): string {
  return `<!doctype html>
<html lang="en" class="has-top">${headOf(title, head)}
<body><a class="skip" href="#main">To the content</a>
<header class="top"><a class="brand" href="/docs">Ticketrail docs</a><a class="far" href="/docs/reference">API reference</a><a class="far" href="/docs/errors">Errors</a><a class="far" href="/dashboard">Dashboard</a><a class="menu" href="#contents">Menu</a>
<form role="search" action="/docs/search"><input type="search" name="q" maxlength="100" value="${escapeHtml(query)}" placeholder="Search" aria-label="Search the docs" aria-keyshortcuts="/ Control+K"><button>Search</button></form></header>
<div class="frame${aside === '' ? '' : ' has-toc'}">
<nav class="side" id="contents" aria-label="Contents">
${list}</nav>
<main id="main">${main}</main>
${aside}</div><script>${SCRIPT}</script></body></html>
`
}

const headOf = (
  title: string,
  more: string,
) => `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${more}<style>${STYLE}</style></head>`
