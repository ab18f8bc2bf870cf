// Types and helpers for interpreting commands of any language: the print head, and the state that commands store for later ones.

import type { SymbolStore } from './paper-symbols.ts'
import type { PaperAlign } from './paper-ticket.ts'
import type { Picture } from './picture.ts'
import type { PrintHead } from './print-head.ts'
import type { RasterPage } from './raster-page.ts'

export interface Player {
  head: PrintHead
  symbols: SymbolStore
  /** 9-pin head: letters of 9 dots, pictures of 72 rows an inch, a red ribbon. */
  isImpact: boolean
  /** Pictures that are stored for later printing: in the buffer of GS ( L, and in the memory of GS *. */
  stored: { graphics: Picture | null; downloaded: Picture | null }
  /** Star's raster mode. */
  raster: RasterPage
  /** Star's printing counter: number of ETBs so far. */
  etbs: number
}

/** Interprets one command. `params`: the bytes after the code. */
export type CommandRule = (player: Player, params: Uint8Array) => void

export type CommandRules = Readonly<Record<string, CommandRule>>

export function first(params: Uint8Array, fallback = 0): number {
  return params[0] ?? fallback
}

export function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256
}

/** Signed 16-bit value. */
export function signedWord(bytes: Uint8Array, at: number): number {
  const value = word(bytes, at)
  return value > 0x7fff ? value - 0x10000 : value
}

export function isOn(n: number): boolean {
  return (n & 1) === 1
}

/** For n = 0, 1, 2, or the digits. */
export function alignOf(n: number): PaperAlign {
  return n % 48 === 1 ? 'center' : n % 48 === 2 ? 'right' : 'left'
}

/** Has no effect on paper: status, speed, density. */
export const nothing: CommandRule = () => {}
