import { join } from 'node:path'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import { done, offered, ran, refusedWith, request, same } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, bash, call, deactivate, fetchPage, inTwoSteps, read, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    narrow: { body: 'Body of narrow.', fields: ['allowed-tools: Read', 'disallowed-tools: WebFetch'] },
    wide: { body: 'Body of wide.', fields: ['allowed-tools: Bash(*) Write Read'] },
    history: { body: 'Body of history.', fields: ['allowed-tools: Bash(git log:*)'] },
  }),
]

const script = (name: string) => call('Read', { file_path: join(FIXTURE_SKILLS, 'release-notes', 'scripts', name) })

/** The modes and policies that a host can set for a session. */
const rogue = (id: string) => inTwoSteps(id, [bash('rm -r .'), write('src/a.ts'), fetchPage()])

export const modeChecks = checksOf('gate', [
  {
    id: 'gate-mode-preapprove',
    title:
      '[GATE-8, GATE-4, ASK-7] refuses nothing for being unlisted in the mode `preapprove`, still refuses what skills or the host deny, and says so on activation in the words of core',
    async run(bench) {
      const session: AdapterSessionOptions = { enforcement: 'preapprove', policy: { deny: ['Bash(rm:*)'] } }
      const trial = await playTrial(bench, {
        sources,
        session,
        script: [activate('narrow'), write('src/a.ts'), bash('ls'), fetchPage(), bash('rm a'), say()],
      })
      same('the tools that ran', ran(trial), ['Write', 'Bash'])
      const [activated] = await wordsOfCore([activate('narrow')], { repertoire: { sources }, session })
      same('the result of the activation', trial.resultOf('call_1_1'), activated)
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_5_1', 'TOOL_NOT_ALLOWED')
      const blocked = await playTrial(bench, {
        session,
        script: [activate('release-notes'), script('collect.sh'), say()],
      })
      refusedWith(blocked, 'call_2_1', 'SCRIPT_READ_BLOCKED')
    },
  },
  {
    id: 'gate-mode-advisory',
    title:
      "[GATE-8, ASK-7] enforces none of a skill's rules in the mode `advisory`, and all of the host's, in core's words",
    async run(bench) {
      const session: AdapterSessionOptions = { enforcement: 'advisory', policy: { deny: ['Bash(rm:*)'] } }
      const steps = [activate('narrow'), write('src/a.ts'), fetchPage(), bash('rm a')]
      const trial = await playTrial(bench, { sources, session, script: [...steps, say()] })
      same('the tools that ran', ran(trial), ['Write', 'WebFetch'])
      const expected = await wordsOfCore(steps, { repertoire: { sources }, session })
      same('the result of the activation', trial.resultOf('call_1_1'), expected[0])
      same('the refusal', trial.resultOf('call_4_1'), expected[3])
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'gate-host-policy',
    title:
      "[GATE-8, GATE-7, ABUSE-32] enforces the host's policy before, during and after every skill, whatever the skill allows, in core's words",
    async run(bench) {
      const session: AdapterSessionOptions = {
        policy: { allow: ['Bash', 'Read', 'Write(docs/**)'], deny: ['Bash(rm:*)'] },
      }
      const fitting = [bash('ls'), write('docs/a.md')]
      const steps = [
        ...rogue('before'),
        activate('wide'),
        ...rogue('under'),
        ...fitting,
        deactivate(),
        ...rogue('after'),
      ]
      const trial = await playTrial(bench, { sources, session, script: [...steps, say()] })
      same('the tools that ran', ran(trial), ['Bash', 'Write'])
      const calls = steps.flatMap((step) => step.calls)
      const expected = await wordsOfCore(steps, { repertoire: { sources }, session })
      for (const [index, { tool, id }] of calls.entries()) {
        if (id === undefined) continue
        same(`the refusal of ${tool} (${id})`, trial.resultOf(id), expected[index])
        refusedWith(trial, id, 'TOOL_NOT_ALLOWED')
      }
    },
  },
  {
    id: 'gate-policy-hides',
    level: 'SHOULD',
    needs: ['hiding'],
    title:
      "[GATE-1, GATE-8] hides tools that the host's policy never allows from the model, and no others in the mode `advisory`",
    async run(bench) {
      const session: AdapterSessionOptions = { enforcement: 'advisory', policy: { deny: ['WebFetch'] } }
      const trial = await playTrial(bench, { sources, session, script: [activate('history'), say()] })
      for (const number of [0, 1]) {
        const hosts = offered(request(trial, number)).filter((name) => !name.includes('_skill'))
        same('the tools offered', hosts.toSorted(), ['Bash', 'Read', 'Write'])
      }
    },
  },
  {
    id: 'gate-from-top',
    title:
      '[GATE-6, ABUSE-45] goes by the top skill alone where the host chooses that, until that skill is deactivated',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        session: { enforcement: { from: 'top' } },
        script: [
          activate('narrow'),
          bash('git log'),
          activate('history'),
          bash('git log'),
          bash('git log; id'),
          fetchPage(),
          deactivate(),
          bash('git log'),
          read('a.md'),
          say(),
        ],
      })
      for (const step of [2, 5, 6, 8]) refusedWith(trial, `call_${step}_1`, 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Bash', 'Read'])
    },
  },
  {
    id: 'gate-mode-resumed',
    needs: ['resume'],
    title:
      "[GATE-8, ACT-15] uses the host's current mode and policy for a resumed task, and not those of the time when it was saved",
    async run(bench) {
      const first = await playTrial(bench, {
        sources,
        session: { enforcement: 'advisory' },
        script: [activate('narrow'), write('a.md'), say()],
      })
      same('the tools that ran', ran(first), ['Write'])
      const saved = await first.save()
      const late = [write('b.md'), read('secret')].flatMap(({ calls }, index) => ({
        calls: calls.map((each) => ({ ...each, id: `late_${index}` })),
      }))
      const session: AdapterSessionOptions = { policy: { deny: ['Read(secret)'] } }
      const second = await bench.open({ sources, session, script: [...late, say()], saved })
      done(await second.send('Go on'))
      for (const index of late.keys()) refusedWith(second, `late_${index}`, 'TOOL_NOT_ALLOWED')
      same('the tools that ran afterwards', ran(second), [])
    },
  },
])
