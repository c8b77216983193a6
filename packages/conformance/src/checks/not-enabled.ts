import type { Check } from '../check.ts'
import { HOST_TOOLS } from '../tools.ts'
import { done, lacks, offered, ran, request, same } from './assertions.ts'
import { call, say } from './script-steps.ts'

/** A host whose configuration says that there are to be no skills. */
export const notEnabledChecks: readonly Check[] = [
  {
    id: 'listing-not-enabled',
    area: 'listing',
    level: 'MUST',
    title:
      "[DISC-9, ADPT-4] shows no skill and no tool but the host's where skills are turned off, and restricts nothing",
    async run(bench) {
      const trial = await bench.open({
        repertoire: { enabled: false },
        instructions: 'Answer in one word.',
        script: [call('Bash', { command: 'ls' }), say()],
      })
      done(await trial.send('Hello'))
      const first = request(trial, 0)
      same('the tools that are offered', offered(first).toSorted(), HOST_TOOLS.toSorted())
      same('the system prompt', first.system.trim(), 'Answer in one word.')
      lacks('the messages', JSON.stringify(first.messages), 'commit-message')
      same('the tools that ran', ran(trial), ['Bash'])
    },
  },
]
