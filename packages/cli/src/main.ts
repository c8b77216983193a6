#!/usr/bin/env node
import process from 'node:process'
import { nodeProblem } from './node-version.ts'

const problem = nodeProblem(process.versions.node)
if (problem === undefined) {
  // Loaded only now: on an older Node, loading the rest would fail before a message could be printed.
  const { reportCrash, run } = await import('./program.ts')
  process.on('uncaughtException', (error) => {
    // Node would end with 1, which here means findings.
    void reportCrash(error, process.argv.slice(2), process).then(() => process.exit(2))
  })
  const args = process.argv.slice(2)
  process.exitCode = await run(args, process)
  // What adapters and hosts leave running, such as timers, must not keep the process. A pipe may still be written to.
  if (args[0] === 'conformance') process.stdout.write('', () => process.exit())
} else {
  process.stderr.write(`error: ${problem}\n`)
  process.exitCode = 2
}
