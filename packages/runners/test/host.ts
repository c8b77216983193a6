/** A host of its own, which tests kill: it runs a script that starts others, and waits for it. */
import { openBubblewrapRunner, processRunner } from '@repertoire/runners'
import { job, text } from './job.ts'

const [kind = '', script = '', workspace = ''] = process.argv.slice(2)
const runner =
  kind === 'process'
    ? processRunner()
    : await openBubblewrapRunner(
        workspace === ''
          ? {}
          : { workspace: { path: workspace, access: 'write', protect: ['.bashrc', '.husky/hooks/'] } },
      )
process.stdout.write('starting\n')
const { stdout } = await runner.run(job(script))
process.stdout.write(text(stdout))
await runner.close?.()
