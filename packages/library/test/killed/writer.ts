/** Does one write in its own process: `KIND ROOT`. What it loads on its way is loaded before the first mark. */
import { accessSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isSkillError } from '@repertoire/core'
import { BEGIN, END, WRITES } from './writes.ts'

const [kind = '', root = ''] = process.argv.slice(2)
const { prepare, write } = WRITES.get(kind)!

const elsewhere = mkdtempSync(join(tmpdir(), 'repertoire-library-'))
await prepare(elsewhere)
await write(elsewhere)
rmSync(elsewhere, { recursive: true })

mark(BEGIN)
let outcome = 'done'
try {
  await write(root)
} catch (error) {
  outcome = isSkillError(error) ? error.code : `no SkillError: ${String(error)}`
}
mark(END)
process.stdout.write(outcome)

/** A call that is seen from outside. */
function mark(path: string): void {
  try {
    accessSync(path)
  } catch {
    // It is never there.
  }
}
