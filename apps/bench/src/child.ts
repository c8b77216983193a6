import { writeSync } from 'node:fs'
import process from 'node:process'
import type { Jobs } from './run.ts'

// Each process does one job, so its caches are as cold as a user's. Parts import in a job what only the job needs,
// because a module that is loaded before a measurement changes it.
const [part = '', job = '', folder = ''] = process.argv.slice(2)
const { jobs } = (await import(`./parts/${part}.ts`)) as { readonly jobs: Jobs }
writeSync(process.stdout.fd, `\n${JSON.stringify(await jobs[job]!(folder))}\n`)
// Some of what is measured leaves timers and sockets behind.
process.exit(0)
