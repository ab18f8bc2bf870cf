// Makes docs/configuration.md and .env.example from the two config schemas, so that they match the code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configFiles } from './config-docs/config-docs.ts'

const ROOT = join(import.meta.dirname, '..')

for (const { path, text } of configFiles()) {
  writeFileSync(join(ROOT, path), text)
  process.stdout.write(`wrote ${path}\n`)
}
