// What may go wrong in the link's model, in every place: messages lost or changed, connections, programs, power, disks.
import { bind, disconnect, type Rules, type Step, stop } from './link-model.ts'
import { at, copyOf, type State, words } from './link-model-state.ts'

type Fault = (name: string, change: (next: State) => void) => void

/** Each costs one of the state's faults. */
export function faults(state: State, rules: Rules): Step[] {
  if (state.faults === 0) return []
  const all: Step[] = []
  const fault: Fault = (name, change) => {
    const to = copyOf(state)
    to.faults--
    to.isFair = false
    change(to)
    all.push({ name: `FAULT ${name}`, to })
  }
  onTheWire(state, rules, fault)
  if (state.relay.session >= 0) fault('the connection breaks', disconnect)
  for (const [b, { second }] of state.boxes.entries())
    if (second !== null)
      fault(`the second connection of box ${b} breaks`, (next) => {
        at(next.boxes, b).second = null
      })
  ofPrograms(state, rules, fault)
  ofDisks(state, fault)
  return all
}

/** A message that was corrupted is a lost one where digests are; else it is another message. */
function onTheWire({ down: [down], up: [up], paper }: State, { digestsDown, digestsUp }: Rules, fault: Fault): void {
  if (down)
    fault(`${words(down)} is lost or corrupt`, (next) => {
      next.down.shift()
    })
  if (up)
    fault(`${words(up)} is lost or corrupt`, (next) => {
      next.up.shift()
    })
  if (!digestsDown && down?.t === 'job')
    for (const wrong of ['valid', 'invalid'] as const)
      fault(`${words(down)} has another byte and is ${wrong}`, (next) => {
        next.down[0] = { ...down, wrong }
      })
  if (!digestsUp && up?.t === 'ack')
    fault(`${words(up)} says more`, (next) => {
      next.up[0] = { t: 'ack', last: up.last + 1 }
    })
  if (paper.length < 2) return
  if (!digestsDown && down?.t === 'rack')
    fault(`${words(down)} names another order`, (next) => {
      next.down[0] = { t: 'rack', job: 1 - down.job }
    })
  if (!digestsUp && up?.t === 'result')
    fault(`${words(up)} names another order`, (next) => {
      next.up[0] = { ...up, job: 1 - up.job }
    })
}

function ofPrograms({ boxes, image }: State, rules: Rules, fault: Fault): void {
  for (const [b, { up, counter }] of boxes.entries()) {
    if (!up) {
      fault(`box ${b} dies while it starts`, (next) => bind(next, b, rules, false))
      continue
    }
    fault(`box ${b} is killed`, (next) => stop(next, b))
    // With an image of that very moment this would not be noticed: docs/operate-gateway.md says for how short a time.
    if (counter !== null && counter.synced !== counter.claims && image === null)
      fault(`the power of box ${b} goes`, (next) => {
        stop(next, b)
        at(next.boxes, b).counter = { ...counter, claims: counter.synced }
      })
  }
}

function ofDisks({ boxes, image }: State, fault: Fault): void {
  if (image === null)
    fault('an image of the disk is made', (next) => {
      next.image = copyOf(at(next.boxes, 0).disk)
    })
  else {
    if (!at(boxes, 0).up)
      fault('the image is put back', (next) => {
        at(next.boxes, 0).disk = copyOf(image)
      })
    if (boxes.length === 1)
      fault('a second box gets the image', (next) => {
        const down = { up: false, waits: false, onPaper: false, isKnown: false, bootEpoch: 0, second: null }
        next.boxes.push({ disk: copyOf(image), counter: null, ...down })
      })
  }
}
