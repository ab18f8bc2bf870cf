// Why a folder cannot be made or used, in words for the operator.
import { expect, it } from 'vitest'
import { folderWords } from './folder-words.ts'

it.each([
  ['EACCES', 'this user may not write there. Give the folder to this user (chown), or say another one.'],
  ['EPERM', 'this user may not write there. Give the folder to this user (chown), or say another one.'],
  [
    'EROFS',
    'it can only be read. Mount its disk for writing (in a unit of systemd: ReadWritePaths=), or say another one.',
  ],
  ['ENOSPC', 'there is no room on its disk. Make room there, or say another one.'],
  ['EEXIST', 'it is a file. Say another one.'],
  ['ENOTDIR', 'a part of its path is a file. Say another one.'],
  ['EIO', 'the system refuses it. Say another one.'],
])('%s', (code, words) => {
  const error = Object.assign(new Error(`${code}: mkdir`), { code })
  expect(folderWords(error, 'say another one')).toBe(`(${code}): ${words}`)
})
