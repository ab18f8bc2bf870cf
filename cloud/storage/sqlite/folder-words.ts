// Why a folder cannot be created or used: the system's error, in words for the operator.
import { codeOf } from '#shared/code-of.ts'

interface Words {
  why: string
  /** What helps, beside another folder. */
  help?: string
}

const NOT_ALLOWED: Words = {
  why: 'this user may not write there',
  help: 'Give the folder to this user (chown)',
}
const WORDS: Readonly<Record<string, Words>> = {
  EEXIST: { why: 'it is a file' },
  ENOTDIR: { why: 'a part of its path is a file' },
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: { why: 'it can only be read', help: 'Mount its disk for writing (in a unit of systemd: ReadWritePaths=)' },
  ENOSPC: { why: 'there is no room on its disk', help: 'Make room there' },
}

/** @param another how another folder is named, such as `say another --into` */
export function folderWords(error: unknown, another: string): string {
  const code = codeOf(error) || 'unknown'
  const { why, help } = WORDS[code] ?? { why: 'the system refuses it' }
  const advice = help === undefined ? `${another.charAt(0).toUpperCase()}${another.slice(1)}` : `${help}, or ${another}`
  return `(${code}): ${why}. ${advice}.`
}
