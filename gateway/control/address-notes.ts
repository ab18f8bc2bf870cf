// What the watch over addresses has found, in words: in English here, by key and values in the page's own language.
import type { NoteAnswer } from './answers.ts'

/** `moved`, `moved-back`: from, to. `several`, `taken`, `not-yet`: where devices answer. */
export interface AddressNote {
  kind: 'moved' | 'moved-back' | 'several' | 'taken' | 'not-yet'
  addresses: readonly string[]
}

export function addressNote({ kind, addresses }: AddressNote): NoteAnswer {
  const [from = '', to = ''] = addresses
  const isMove = kind === 'moved' || kind === 'moved-back'
  const all = addresses.join(', ')
  return { key: kind, values: isMove ? { from, to } : { addresses }, text: textOf(kind, { from, to, all }) }
}

function textOf(kind: AddressNote['kind'], { from, to, all }: { from: string; to: string; all: string }): string {
  switch (kind) {
    case 'moved':
      return `It moved from ${from} to ${to} by itself (same hardware, same answers). Reserve that address in the router.`
    case 'moved-back':
      return `It moved back to ${to}: it answers there again. Check what is at ${from}.`
    case 'several':
      return `Several devices answer with its hardware address: ${all}. Look which one it is, and give it that address.`
    case 'taken':
      return `Its hardware answers at ${all} now, but another printer is set up there. Change one of them.`
    case 'not-yet':
      return `It may answer at ${all} now, but not as a printer yet. It is asked again.`
  }
}
