// Style and script of the status page: small, ours, without a build.

export const STYLE = `
:root { color-scheme: light dark; --bg: #f6f5f2; --card: #fff; --ink: #1c1b19; --soft: #6b6862; --line: #e3e0d9; --ok: #1a7f4b; --warn: #a15c00; --bad: #c0312b; --wash: #efede7; }
@media (prefers-color-scheme: dark) { :root { --bg: #151514; --card: #1f1e1d; --ink: #f0eee9; --soft: #a19d95; --line: #33312e; --ok: #55c88a; --warn: #f0b055; --bad: #ff7b72; --wash: #292826; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 62rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; display: grid; gap: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.35rem; margin: 0; letter-spacing: -.01em; }
h2 { font-size: .8rem; margin: .75rem 0 .6rem; text-transform: uppercase; letter-spacing: .08em; color: var(--soft); }
h3 { font-size: 1.05rem; margin: 0; }
p { margin: 0; }
.soft { color: var(--soft); font-size: .9rem; }
.grid { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .9rem 1rem; display: grid; gap: .3rem; align-content: start; }
.row { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; align-items: baseline; }
.state { font-weight: 600; }
.state::before { content: ''; display: inline-block; width: .6em; height: .6em; border-radius: 50%; background: currentColor; margin-right: .45em; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.do { background: var(--wash); border-radius: .5rem; padding: .5rem .65rem; font-size: .95rem; }
.figures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .75rem; }
.figure b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
ol { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
li { padding: .6rem 1rem; border-top: 1px solid var(--line); display: grid; gap: 0 1rem; grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; }
li:first-child { border-top: 0; }
li .soft { grid-column: 1 / -1; }
`

/** Fetches the page again and takes over its main part; a hidden page rests. Without it the page works and is reloaded by hand. */
export const SCRIPT = `'use strict'
const refresh = async () => {
  // Nobody is using the page, or somebody is copying an order's number.
  if (document.hidden || !getSelection().isCollapsed) return
  const old = document.querySelector('main')
  try {
    const response = await fetch('/status', { cache: 'no-store', signal: AbortSignal.timeout(4000) })
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
    if (response.ok && old && next) old.replaceWith(document.importNode(next, true))
  } catch {
    const note = document.querySelector('#freshness')
    if (note) note.textContent = 'The box does not answer. What stands below may be old.'
  }
}
setInterval(refresh, 3000)
document.addEventListener('visibilitychange', refresh)
`
