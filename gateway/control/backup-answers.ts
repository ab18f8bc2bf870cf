// What the operations answer that make and read files of the box: backup and diagnostics. Types only: the page reads them too.
import type { BoxSettings } from '#gateway/storage/box-settings-store.ts'

/** A file to be saved, and what is in it. */
export interface FileAnswer {
  fileName: string
  mediaType: string
  base64: string
  contents: { name: string; bytes: number }[]
}

/** A locked file to be saved, and how much of what it holds. */
export interface BackupAnswer extends Omit<FileAnswer, 'contents'> {
  holds: BackupHolds
}

export interface BackupHolds {
  printers: number
  people: number
  rules: number
  hasLogo: boolean
}

/** What a backup would bring, before anything of it is taken over. */
export interface BackupPreviewAnswer {
  madeAt: string
  app: string
  /** False: of an older version, without a passphrase. Anybody may have changed it, so no people can be taken over. */
  isProtected: boolean
  printers: { name: string; host: string; port: number; profileId: string; standing: 'new' | 'changed' | 'same' }[]
  /** Rules of the backup, which replace those of this box. */
  rules: string[]
  rulesReplaced: number
  /** As they would be: what the backup leaves empty stays as it is. */
  settings: BoxSettings
  settingsNow: BoxSettings
  hasLogo: boolean
  /** `here`: this box has a person with that name, who keeps password and role. */
  people: { name: string; role: 'technician' | 'manager'; standing: 'new' | 'here' }[]
}

export interface RestoreAnswer {
  printersAdded: number
  printersChanged: number
  rules: number
  users: number
  notes: string[]
}
