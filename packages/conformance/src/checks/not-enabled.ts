import { HOST_TOOLS } from '../tools.ts'
import { lacks, offered, ran, request, same } from './assertions.ts'
import { bash, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** A host whose configuration says that there are to be no skills. */
export const notEnabledChecks = checksOf('listing', [
  {
    id: 'listing-not-enabled',
    title:
      "[DISC-9, ADPT-4] shows no skill and no tool but the host's where skills are turned off, and restricts nothing",
    async run(bench) {
      const trial = await playTrial(bench, {
        repertoire: { enabled: false },
        instructions: 'Answer in one word.',
        script: [bash('ls'), say()],
      })
      const first = request(trial, 0)
      same('the tools that are offered', offered(first).toSorted(), HOST_TOOLS.toSorted())
      same('the system prompt', first.system.trim(), 'Answer in one word.')
      lacks('the messages', JSON.stringify(first.messages), 'commit-message')
      same('the tools that ran', ran(trial), ['Bash'])
    },
  },
])
