import process from 'node:process'
import { run } from './program.ts'

// The temporary folder is removed when the process exits, so a signal has to lead to a regular exit.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
try {
  process.exitCode = await run(process.argv.slice(2), (text) => void process.stdout.write(text))
} catch (error) {
  console.error(error instanceof TypeError ? `error: ${error.message}` : error)
  process.exitCode = 2
}
