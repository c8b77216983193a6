import { findClaudeCode } from '@repertoire/test-servers'
import process from 'node:process'
import { reportCrash, run } from './program.ts'

// The temporary folder is removed when the process exits, so a signal has to lead to a regular exit.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code))
}
process.on('uncaughtException', (error) => {
  // Such as one that a framework left behind. Node would end with 1, which here means that adapters do not agree.
  void reportCrash(error, process).then(() => process.exit(2))
})
process.env['CLAUDE_CODE_EXECUTABLE'] ??= findClaudeCode() ?? ''
process.exitCode = await run(process.argv.slice(2), process)
