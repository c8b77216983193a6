// Writes the conformance matrix into README.md and docs/conformance.md: node scripts/matrix.ts [--check]
//
// `--check` writes nothing, and fails where a document is out of date.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { updateMatrix } from './conformance-matrix.ts'
import { adapterFolders } from './conformance-results.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const isGood = updateMatrix({
  root,
  isCheck: values.check,
  runSuite,
  say: (text) => void process.stdout.write(text),
})
process.exitCode = isGood ? 0 : 1

/** Judges every adapter again, as the tests do. */
function runSuite(): void {
  const projects = adapterFolders(root).flatMap((name) => ['--project', name])
  const reporters = ['--reporter=minimal', `--reporter=${join(root, 'scripts/conformance-reporter.ts')}`]
  const { error } = spawnSync(
    'vitest',
    ['run', ...projects, ...reporters, '--coverage.enabled=false', '--silent=passed-only', 'test/conformance.test.ts'],
    // Stdout is for what became of the documents, and frameworks warn of much while they are judged.
    // With `CI` set, every check runs in every variant.
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, CI: '1', NODE_NO_WARNINGS: '1' } },
  )
  if (error !== undefined) throw error
}
