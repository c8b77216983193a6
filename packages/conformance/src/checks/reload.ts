import type { FunctionTool, ListingStyle } from '@repertoire/core'
import type { Trial } from '../check.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { done, contains, lacks, offered, ran, refusedWith, request, same, shown } from './assertions.ts'
import { changingSkills, manifestOf } from './many-skills.ts'
import { firstView } from './reference.ts'
import { activate, bash, call, deactivate, say, together } from './script-steps.ts'
import { shownAsCore } from './styles.ts'
import { checksOf } from './define.ts'

const BEFORE = { early: manifestOf('early', 'The first one.', 'Body of early.') }
const AFTER = { late: manifestOf('late', 'The second one.', 'Body of late.', 'allowed-tools: Read\n') }

/** The skills change, the host reloads, and only then the model answers. */
function changing(skills: Record<string, string>, trial: () => Trial, next: ScriptStep): ScriptStep {
  return () => {
    delete skills['early']
    Object.assign(skills, AFTER)
    return { hold: trial().reload(), next }
  }
}

export const reloadChecks = checksOf('listing', [
  {
    id: 'listing-after-reload',
    title:
      '[SHOW-1, SHOW-3, CAT-4] shows in the next model call the skills that a reload found, in every style with a list',
    async run(bench) {
      const instructions = 'You are a careful assistant.'
      for (const style of ['xml', 'section', 'tool', 'matched'] satisfies readonly ListingStyle[]) {
        const skills: Record<string, string> = { ...BEFORE }
        const trial: Trial = await bench.open({
          script: [changing(skills, () => trial, bash('pwd')), say()],
          sources: [changingSkills(skills)],
          repertoire: { listing: { style } },
          instructions,
        })
        done(await trial.send('Hello'))
        lacks(`the first request in the style ${style}`, shown(request(trial, 0)), 'The second one.')
        const after = request(trial, 1)
        lacks(`the second request in the style ${style}`, shown(after), 'The first one.')
        const view = await firstView({ repertoire: { listing: { style }, sources: [changingSkills({ ...AFTER })] } })
        shownAsCore(`after the reload in the style ${style}`, after, view)
      }
    },
  },
  {
    id: 'listing-own-tools-after-reload',
    title:
      '[SHOW-4, CAT-4] offers in the next model call the tools of the skills that a reload found, after all other tools',
    async run(bench) {
      const skills: Record<string, string> = { ...BEFORE, middle: manifestOf('middle', 'Another one.', 'Body.') }
      const trial: Trial = await bench.open({
        script: [changing(skills, () => trial, bash('pwd')), say()],
        sources: [changingSkills(skills)],
        repertoire: { listing: { style: 'tools' } },
      })
      done(await trial.send('Hello'))
      const others = ['Bash', 'Read', 'Write', 'WebFetch']
      same('the first tools', offered(request(trial, 0)), [...others, 'skill_early', 'skill_middle'])
      same('the tools after the reload', offered(request(trial, 1)), [...others, 'skill_late', 'skill_middle'])
    },
  },
  {
    id: 'activation-after-reload',
    area: 'activation',
    title:
      '[SHOW-4, CAT-4, ACT-2] activates skills that a reload found and refuses those that it lost, also in calls of a message that the model began before the reload',
    async run(bench) {
      for (const style of ['tools', 'xml'] as const) {
        const skills: Record<string, string> = { ...BEFORE }
        const activating = (name: string) => (style === 'tools' ? call(`skill_${name}`, {}) : activate(name))
        const trial: Trial = await bench.open({
          script: [
            changing(skills, () => trial, together(activating('early'), activating('late'))),
            deactivate(),
            activating('early'),
            activating('late'),
            bash('pwd'),
            say(),
          ],
          sources: [changingSkills(skills)],
          repertoire: { listing: { style } },
        })
        done(await trial.send('Hello'))
        const lost = style === 'tools' ? 'TOOL_UNKNOWN' : 'SKILL_NOT_FOUND'
        refusedWith(trial, 'call_1_1', lost)
        contains('the result', trial.resultOf('call_1_2'), 'Body of late.')
        refusedWith(trial, 'call_3_1', lost)
        contains('the result', trial.resultOf('call_4_1'), 'Body of late.')
        refusedWith(trial, 'call_5_1', 'TOOL_NOT_ALLOWED')
        same('the active skills', await trial.active(), ['late'])
      }
    },
  },
  {
    id: 'activation-own-tool-of-the-host',
    area: 'activation',
    title:
      "[SHOW-4, CAT-4] keeps running the host's tool where a reload finds a skill whose own tool would have the same name",
    async run(bench) {
      const skills: Record<string, string> = { ...BEFORE }
      const tool: FunctionTool = {
        name: 'skill_late',
        description: 'A tool of the host.',
        inputSchema: { type: 'object', properties: {} },
        execute: () => 'of the host',
      }
      const trial: Trial = await bench.open({
        script: [changing(skills, () => trial, call('skill_late', {}))],
        sources: [changingSkills(skills)],
        repertoire: { listing: { style: 'tools' } },
        tools: [tool],
      })
      // The next step cannot begin, since two tools must not share a name. The host receives the error.
      const failed = await trial.send('Hello').then(
        () => undefined,
        (error: unknown) => String(error),
      )
      contains('the failure', failed ?? '', '"skill_late"')
      same('the tools that ran', ran(trial), ['skill_late'])
      same('the active skills', await trial.active(), [])
    },
  },
])
