import process from 'node:process'
import { run } from './program.ts'

// What was made in the temporary folder is removed when the process ends: it has to end, and not just be stopped.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code))
}
process.exitCode = await run(process.argv.slice(2), process)
