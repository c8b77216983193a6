import { type AuditEvent, memorySource } from '@repertoire/core'
import { contains, refusedWith, same } from './assertions.ts'
import { activate, bash, fetchPage, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const skillWith = (name: string, field: string): Readonly<Record<string, string>> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: A skill.\n${field}\n---\nBody.\n`,
})

/** What a refusal tells if several skills and the host's policy restrict together. */
export const gateEffectiveChecks = checksOf('gate', [
  {
    id: 'gate-effective-tools',
    title:
      '[GATE-13, GATE-6, OBS-7] lists in a refusal what all active skills and the policy allow together, and records which skill or rule refused',
    async run(bench) {
      const events: AuditEvent[] = []
      const trial = await playTrial(bench, {
        sources: [
          memorySource({
            layer: 'project',
            skills: {
              runs: skillWith('runs', 'allowed-tools: Read Bash WebFetch'),
              writes: skillWith('writes', 'allowed-tools: Read Write WebFetch'),
            },
          }),
        ],
        session: { id: 'effective', policy: { deny: ['WebFetch'] } },
        repertoire: { audit: { write: (event) => void events.push(event) } },
        script: [activate('runs'), activate('writes'), write('a', 'b'), bash('ls'), fetchPage(), say()],
        maxSteps: 10,
      })
      await trial.end()
      same('the tools that ran', trial.runs, [])
      const refusals = ['call_3_1', 'call_4_1', 'call_5_1'].map((id) => refusedWith(trial, id, 'TOOL_NOT_ALLOWED'))
      for (const { allowedTools } of refusals) same('the allowed tools', allowedTools, ['Read'])
      contains('the reason for "Write"', refusals[0]?.reason ?? '', 'the skill "runs" is active')
      contains('the reason for "Bash"', refusals[1]?.reason ?? '', 'the skill "writes" is active')
      contains('the reason for "WebFetch"', refusals[2]?.reason ?? '', "the host's policy disallows WebFetch")
      same(
        'what the audit says of who refused',
        events
          .filter(({ type }) => type === 'restriction.violated')
          .map(({ skill, refusedBy, allowedTools }) => [skill?.name, refusedBy, allowedTools]),
        [
          ['runs', { by: 'allowed-tools', skill: 'runs' }, ['Read']],
          ['writes', { by: 'allowed-tools', skill: 'writes' }, ['Read']],
          [undefined, { by: 'policy.deny', rule: 'WebFetch' }, ['Read']],
        ],
      )
    },
  },
])
