// Makes the linter's layers, and the table and drawing of the architecture page, from the list of rooms in house.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { houseFiles } from './house/house-files.ts'
import { HOUSE } from './house.ts'

for (const { path, text } of houseFiles(HOUSE)) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  process.stdout.write(`wrote ${path}\n`)
}
