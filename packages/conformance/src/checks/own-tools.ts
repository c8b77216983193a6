import { type ConsentRequest, memorySource } from '@repertoire/core'
import { skillToolName } from '@repertoire/core/adapter'
import { failure } from '../failure.ts'
import { done, contains, lacks, offered, ran, refusedWith, request, same, shown } from './assertions.ts'
import { manifestOf, manySkills } from './many-skills.ts'
import { firstView, answersAsCore, wordsOfCore } from './reference.ts'
import { activate, call, deactivate, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** Each skill is a tool. */
const repertoire = { listing: { style: 'tools' } } as const

const MARK = 'Make the smallest change that does what was asked.'

/** Names that no provider accepts unchanged. Two of them share their first sixty letters. */
const UNUSUAL_NAMES = ['技能', 'größe', `${'a'.repeat(63)}x`, `${'a'.repeat(63)}y`]

/** How tools behave if each activates one skill. */
export const ownToolChecks = checksOf('activation', [
  {
    id: 'activation-own-tool',
    title:
      '[SHOW-4, ADPT-4] activates a skill through its own tool, with the same result as through the activation tool',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [call('skill_safe-edit', { args: 'a "b" $&' }), deactivate(), call('Skill_Safe-Edit', {}), say()],
        repertoire,
      })
      const [expected] = await wordsOfCore([activate('safe-edit', 'a "b" $&')])
      same('the result', trial.resultOf('call_1_1'), expected)
      contains('the result of the call in another case', trial.resultOf('call_3_1'), MARK)
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'activation-own-tool-words',
    title:
      "[SHOW-4, ACT-2, CAT-5] refuses invalid input to a skill's own tool, and treats the tool of an invisible skill as unknown",
    async run(bench) {
      const session = { skills: ['safe-edit'] }
      const steps = [
        call('skill_safe-edit', { args: 5 }),
        call('skill_repo-survey'),
        call('skill_no-survey'),
        activate('safe-edit'),
      ]
      const trial = await playTrial(bench, {
        script: [...steps, say()],
        repertoire,
        session,
      })
      await answersAsCore(trial, steps, { repertoire, session })
      refusedWith(trial, 'call_1_1', 'INPUT_INVALID')
      const invisible = refusedWith(trial, 'call_2_1', 'TOOL_UNKNOWN').reason
      const unknown = refusedWith(trial, 'call_3_1', 'TOOL_UNKNOWN').reason
      same('the reason for the invisible one', invisible.replace('skill_repo', '…'), unknown.replace('skill_no', '…'))
      refusedWith(trial, 'call_4_1', 'TOOL_UNKNOWN')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'activation-own-tool-odd-names',
    title: '[SHOW-4] offers skills whose names no provider accepts as tool names under accepted and distinct ones',
    async run(bench) {
      const skills = UNUSUAL_NAMES.map((name) => [
        name,
        { 'SKILL.md': manifestOf(name, 'An odd one.', `Body of ${name}.`) },
      ])
      const tools = UNUSUAL_NAMES.map(skillToolName)
      const trial = await playTrial(bench, {
        script: [...tools.map((tool) => call(tool, {})), say()],
        repertoire,
        sources: [memorySource({ layer: 'project', skills: Object.fromEntries(skills) })],
      })
      const skillTools = offered(request(trial, 0)).filter((name) => name.startsWith('skill_'))
      same('the tools of the skills', skillTools.toSorted(), tools.toSorted())
      for (const [index, name] of UNUSUAL_NAMES.entries())
        contains('the result', trial.resultOf(`call_${index + 1}_1`), `Body of ${name}.`)
    },
  },
  {
    id: 'activation-unlisted',
    title: '[SHOW-7] activates a skill that did not fit into the list, by its name and by its own tool',
    async run(bench) {
      for (const style of ['xml', 'tools'] as const) {
        const options = { repertoire: { listing: { style, budget: { window: 15_000 } } }, sources: [manySkills(50)] }
        const { cuts } = await firstView({ repertoire: { ...options.repertoire, sources: options.sources } })
        const name = cuts.dropped.at(-1) ?? ''
        const trial = await playTrial(bench, {
          script: [style === 'tools' ? call(`skill_${name}`, {}) : activate(name), say()],
          ...options,
        })
        lacks(`the first request in the style ${style}`, shown(request(trial, 0)), name)
        contains(`the result in the style ${style}`, trial.resultOf('call_1_1'), `Body of ${name}.`)
        same(`the active skills in the style ${style}`, await trial.active(), [name])
      }
    },
  },
  {
    id: 'activation-arguments-unnamed',
    title:
      "[SHOW-4, SHOW-7] passes arguments to a skill's own tool whose schema, for lack of space, does not name them",
    async run(bench) {
      const tight = { listing: { style: 'tools', budget: { window: 15_000 } } } as const
      const sources = [manySkills(50)]
      const { skillTools } = await firstView({ repertoire: { ...tight, sources } })
      const tool = skillTools[0]?.name ?? ''
      const trial = await playTrial(bench, {
        script: [call(tool, { args: 'report "q3".csv' }), say()],
        repertoire: tight,
        sources,
      })
      const offeredTool = request(trial, 0).tools.find(({ name }) => name === tool)
      lacks('the schema of the tool', JSON.stringify(offeredTool?.inputSchema ?? 'not offered'), 'args')
      contains('the result', trial.resultOf('call_1_1'), 'Arguments: report "q3".csv')
      same('the active skills', await trial.active(), [tool.slice('skill_'.length)])
    },
  },
  {
    id: 'gate-own-tool',
    area: 'gate',
    title:
      '[SHOW-4, GATE-1] restricts by a skill that was activated through its own tool, and lets no rule prevent its deactivation',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          call('skill_safe-edit', {}),
          write('src/a.ts'),
          write('docs/a.md'),
          call('skill_git-history', {}),
          write('docs/b.md'),
          deactivate(),
          deactivate(),
          write('src/b.ts'),
          say(),
        ],
        repertoire,
        maxSteps: 12,
      })
      refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_5_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Write', 'Write'])
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'consent-own-tool',
    area: 'consent',
    title:
      '[SHOW-4, ASK-1, ASK-3] asks before a skill is activated through its own tool, and activates nothing where consent is denied',
    async run(bench) {
      const asked: ConsentRequest[] = []
      const trial = await playTrial(bench, {
        script: [call('skill_safe-edit', { args: 'all' }), say()],
        repertoire,
        consent: (consentRequest) => asked.push(consentRequest) < 0,
      })
      same(
        'the consent requests',
        asked.map(({ skill, args, callId }) => ({ skill, args, callId })),
        [{ skill: 'safe-edit', args: 'all', callId: 'call_1_1' }],
      )
      refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      same('the active skills', await trial.active(), [])
      for (const wire of trial.requests) lacks('a request', shown(wire), MARK)
    },
  },
  {
    id: 'consent-own-tool-suspends',
    area: 'consent',
    needs: ['suspend'],
    title: "[SHOW-4, ASK-5] waits for the framework's own approval before a skill is activated through its own tool",
    async run(bench) {
      for (const approved of [true, false]) {
        const trial = await bench.open({
          script: [call('skill_safe-edit', {}), say()],
          repertoire,
          consent: 'suspend',
        })
        const turn = await trial.send('Hello')
        if (turn.status !== 'asking' || turn.requests.length !== 1) throw failure('one open consent request', turn)
        const [{ id, skill } = { id: '', skill: '' }] = turn.requests
        same('the skill that is asked for', skill, 'safe-edit')
        same('the active skills before the answer', await trial.active(), [])
        done(await trial.answer([{ requestId: id, approved, reason: 'so it is' }]))
        same('the active skills', await trial.active(), approved ? ['safe-edit'] : [])
        if (approved) contains('the result', trial.resultOf('call_1_1'), MARK)
        else {
          const [expected] = await wordsOfCore([call('skill_safe-edit')], {
            repertoire,
            session: { consent: ({ id: requestId }) => ({ requestId, approved: false, reason: 'so it is' }) },
          })
          same('the result', trial.resultOf('call_1_1'), expected)
        }
      }
    },
  },
])
