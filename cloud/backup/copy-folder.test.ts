// Why a folder cannot be one of copies, in words for the operator.
import { expect, it } from 'vitest'
import { folderRefusal } from './copy-folder.ts'

it.each([
  ['EACCES', 'this user may not write there. Give the folder to this user (chown), or say another --into.'],
  ['EPERM', 'this user may not write there. Give the folder to this user (chown), or say another --into.'],
  ['EROFS', 'its disk is mounted for reading only. Mount it for writing, or say another --into.'],
  ['ENOSPC', 'there is no room on its disk. Make room there, or say another --into.'],
  ['EIO', 'the system refuses it. Say another --into.'],
])('%s', (code, words) => {
  const error = Object.assign(new Error(`${code}: mkdir`), { code })
  expect(folderRefusal('/disk/copies', error).message).toBe(
    `/disk/copies cannot be a folder of copies (${code}): ${words}`,
  )
})
