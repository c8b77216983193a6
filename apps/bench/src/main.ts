import process from 'node:process'
import { run } from './program.ts'

// The temporary folder is removed when the process exits, so a signal has to lead to a regular exit.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code))
}
process.exitCode = await run(process.argv.slice(2), process)
