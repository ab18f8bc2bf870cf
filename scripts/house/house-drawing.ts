// Draws the house as SVG: the two programs side by side on what they share. A room imports only rooms that are drawn below it.

/** What is drawn of a room: its folder, one line, and the rooms that it imports. */
export interface DrawnRoom {
  room: string
  does: string
  imports: readonly string[]
}

const BOX = { width: 186, height: 76, gap: 10 }
const MARGIN = 20
const TITLE = 34
/** Boxes side by side. */
const COLUMNS = { cloud: 4, gateway: 3, shared: 7 } as const
const LETTERS_A_LINE = 29

type Program = keyof typeof COLUMNS

/** @returns an SVG document that follows the reader's light or dark theme */
export function houseDrawing(rooms: readonly DrawnRoom[]): string {
  const cloud = panel('cloud', rooms)
  const gateway = panel('gateway', rooms)
  const shared = panel('shared', rooms)
  const upper = Math.max(cloud.height, gateway.height)
  const width = MARGIN * 3 + cloud.width + gateway.width
  const height = MARGIN * 3 + upper + shared.height
  const sharedAt = { x: MARGIN, y: MARGIN * 2 + upper }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The rooms of the relay and the gateway on what they share; each room imports only rooms below it">
<style>
text { font-family: system-ui, sans-serif; font-size: 11px; fill: #3b3f46 }
.panel { fill: #f4f5f7 } .box { fill: #fff; stroke: #c3c8d0 }
.name { font-size: 13px; font-weight: 600; fill: #14171c } .title { font-size: 15px; font-weight: 700; fill: #14171c }
@media (prefers-color-scheme: dark) { text { fill: #b9c0ca } .panel { fill: #16191e } .box { fill: #20242b; stroke: #3d444e } .name, .title { fill: #f2f4f7 } }
</style>
${placed(cloud.svg, { x: MARGIN, y: MARGIN + upper - cloud.height })}
${placed(gateway.svg, { x: MARGIN * 2 + cloud.width, y: MARGIN + upper - gateway.height })}
${placed(shared.svg, sharedAt)}
</svg>
`
}

const TITLES: Readonly<Record<Program, string>> = {
  cloud: 'cloud: the relay',
  gateway: 'gateway: in the restaurant',
  shared: 'shared: used by both',
}

function panel(program: Program, rooms: readonly DrawnRoom[]): { svg: string; width: number; height: number } {
  const own = rooms.filter(({ room }) => room.startsWith(`${program}/`))
  const levels = new Map<string, number>()
  for (const { room, imports } of own) {
    const below = imports.map((it) => levels.get(folderOf(it)) ?? -1)
    levels.set(room, Math.max(-1, ...below) + 1)
  }
  const columns = COLUMNS[program]
  const rows = [...new Set(levels.values())]
    .sort((a, b) => b - a)
    .flatMap((level) =>
      chunks(
        own.filter(({ room }) => levels.get(room) === level),
        columns,
      ),
    )
  const width = columns * (BOX.width + BOX.gap) + BOX.gap
  const height = TITLE + rows.length * (BOX.height + BOX.gap) + BOX.gap
  const boxes = rows.flatMap((row, line) =>
    row.map((it, column) =>
      placed(box(it, program), {
        x: BOX.gap + column * (BOX.width + BOX.gap),
        y: TITLE + line * (BOX.height + BOX.gap),
      }),
    ),
  )
  const svg = `<rect class="panel" width="${width}" height="${height}" rx="10"/><text class="title" x="14" y="23">${TITLES[program]}</text>${boxes.join('')}`
  return { svg, width, height }
}

function box({ room, does }: DrawnRoom, program: Program): string {
  const lines = wrapped(does).map((line, index) => `<text x="9" y="${33 + index * 13}">${escaped(line)}</text>`)
  const name = escaped(room.slice(program.length + 1))
  return `<rect class="box" width="${BOX.width}" height="${BOX.height}" rx="6"/><text class="name" x="9" y="18">${name}</text>${lines.join('')}`
}

/** At most three lines; what has no room ends in an ellipsis. */
function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.length - 1
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`
    if (longer.length <= LETTERS_A_LINE) lines[last] = longer
    else lines.push(word)
  }
  return lines.length <= 3 ? lines : [...lines.slice(0, 2), `${(lines[2] ?? '').replace(/[,;:]$/, '')} ...`]
}

/** `cloud/webhooks/secret-box.ts` -> `cloud/webhooks`; `shared/*.ts` stays. */
function folderOf(imported: string): string {
  return imported.split('/').length > 2 ? imported.split('/').slice(0, 2).join('/') : imported
}

function placed(svg: string, { x, y }: { x: number; y: number }): string {
  return `<g transform="translate(${x} ${y})">${svg}</g>`
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
