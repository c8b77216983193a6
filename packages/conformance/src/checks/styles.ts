import { LISTING_STYLES, type StepView } from '@repertoire/core'
import { FIXTURE_NAMES } from '../fixture-skills.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { failure } from '../failure.ts'
import { contains, lacks, offered, refusedWith, request, same, shown, times } from './assertions.ts'
import { manySkills } from './many-skills.ts'
import { firstView } from './reference.ts'
import { activate, deactivate, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const INSTRUCTIONS = 'You are a careful assistant.'

/** Asserts that the model was shown exactly what core shows. */
export function shownAsCore(what: string, wire: WireRequest, view: StepView): void {
  same(`the system prompt ${what}`, wire.system, view.system(INSTRUCTIONS))
  const names = view.tools.map(({ name }) => name)
  const skillTools = wire.tools.filter(({ name }) => names.includes(name) || name.startsWith('skill_'))
  same(`the skill tools ${what}`, skillTools.map(wording), view.tools.map(wording))
}

function wording({ name, description, inputSchema }: StepView['tools'][number]): unknown {
  return { name, description, properties: inputSchema['properties'] }
}

export const styleChecks = checksOf('listing', [
  {
    id: 'listing-styles-words-of-core',
    title:
      '[ADPT-4, SHOW-1, SHOW-2, SHOW-3, SHOW-4, SHOW-5] shows system prompt and skill tools exactly as core words them, in every style',
    async run(bench) {
      for (const style of LISTING_STYLES) {
        const repertoire = { listing: { style } }
        const trial = await playTrial(bench, { script: [say()], instructions: INSTRUCTIONS, repertoire })
        shownAsCore(`in the style ${style}`, request(trial, 0), await firstView({ repertoire }))
      }
    },
  },
  {
    id: 'listing-style-tools',
    title:
      '[SHOW-4] offers one tool for each skill instead of the activation tool, after all other tools, in the style `tools`',
    async run(bench) {
      const trial = await playTrial(bench, { script: [say()], repertoire: { listing: { style: 'tools' } } })
      const wire = request(trial, 0)
      same('the offered tools', offered(wire), [
        'Bash',
        'Read',
        'Write',
        'WebFetch',
        ...FIXTURE_NAMES.map((name) => `skill_${name}`),
      ])
      lacks('the system prompt', wire.system, 'Edits documentation below docs/')
    },
  },
  {
    id: 'listing-style-matched',
    title:
      "[SHOW-5] shows active skills, then those that the host's matcher returns for this step, in the style `matched`",
    async run(bench) {
      let fitting: readonly string[] = ['repo-survey', 'git-history', 'nobody']
      const trial = await playTrial(bench, {
        script: [
          () => {
            fitting = ['git-history', 'safe-edit']
            return activate('safe-edit')
          },
          () => {
            fitting = []
            return deactivate()
          },
          say(),
        ],
        repertoire: { listing: { style: 'matched' } },
        session: { turns: { match: () => fitting } },
      })
      same(
        'the headings of each request',
        trial.requests.map(({ system }) => [...system.matchAll(/^## Skill: (.*)$/gm)].map(([, name]) => name)),
        [['repo-survey', 'git-history'], ['safe-edit', 'git-history'], []],
      )
      contains('the second system prompt', request(trial, 1).system, 'its instructions were returned')
      const mark = 'Make the smallest change that does what was asked.'
      same('how often the instructions occur in the second request', times(shown(request(trial, 1)), mark), 1)
    },
  },
  {
    id: 'listing-guidance-styles',
    title: '[SHOW-6] names in the guidance the tools that are really offered, in every style',
    async run(bench) {
      const skillToolNames = { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_skill_file' }
      for (const style of LISTING_STYLES) {
        const repertoire = { listing: { style, guidance: 'full' }, skillToolNames } as const
        const trial = await playTrial(bench, { script: [say()], repertoire })
        const wire = request(trial, 0)
        const named = style === 'tools' ? ['skill_'] : ['use_skill']
        for (const name of [...named, 'leave_skill', 'open_skill_file', 'Bash'])
          contains(`the system prompt in the style ${style}`, wire.system, `\`${name}\``)
        lacks(`the system prompt in the style ${style}`, wire.system, style === 'tools' ? 'use_skill' : '`skill_`')
        if (offered(wire).includes('use_skill') === (style === 'tools'))
          throw failure(`the activation tool to be offered in every style but \`tools\`, in ${style}`, offered(wire))
      }
    },
  },
  {
    id: 'listing-stable-tools',
    title:
      '[NFR-7, GATE-1] sends the same system prompt and the same tools in every request with `stableTools`, and refuses calls as before',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), write('src/a.ts'), deactivate(), say()],
        instructions: INSTRUCTIONS,
        repertoire: { listing: { stableTools: true } },
      })
      const { system, tools } = request(trial, 0)
      for (const [index, wire] of trial.requests.entries()) {
        same(`the system prompt of request ${index + 1}, which is that of the first,`, wire.system, system)
        same(`the tools of request ${index + 1}, which are those of the first,`, wire.tools, tools)
      }
      same('the number of requests', trial.requests.length, 4)
      refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'listing-tools-of-active',
    title: '[NFR-7] offers the tools that only an active skill needs while one is active, after all other tools',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('release-notes'), deactivate(), say()] })
      const others = ['Bash', 'Read', 'Write', 'WebFetch', 'activate_skill']
      const ofActive = ['deactivate_skill', 'read_skill_resource']
      same('the offered tools of each request', trial.requests.map(offered), [others, [...others, ...ofActive], others])
    },
  },
  {
    id: 'listing-budget',
    title:
      '[SHOW-7, ABUSE-103] shows as many skills as the budget allows, and says how many are left out, in every style',
    async run(bench) {
      for (const style of LISTING_STYLES) {
        // Five hundred skills in one style; fewer in the others, with a smaller budget.
        const sources = [manySkills(style === 'xml' ? 500 : 50)]
        const repertoire = { listing: { style, ...(style !== 'xml' && { budget: { window: 10_000 } }) } }
        const trial = await playTrial(bench, { script: [say()], instructions: INSTRUCTIONS, repertoire, sources })
        const wire = request(trial, 0)
        const view = await firstView({ repertoire: { ...repertoire, sources } })
        const { dropped, tokens = 0, budget = 0 } = view.cuts
        if (dropped.length === 0 || tokens > budget) throw failure('core to cut its list to the budget', view.cuts)
        shownAsCore(`in the style ${style}`, wire, view)
        contains(`the request in the style ${style}`, shown(wire), `for lack of space: ${dropped.length}. `)
      }
    },
  },
  {
    id: 'listing-budget-of-the-host',
    title:
      "[SHOW-7] keeps to the host's own budget and token counter, and shortens descriptions before it leaves out skills",
    async run(bench) {
      const budget = { window: 1_100, share: 1, countTokens: (text: string) => text.length }
      const trial = await playTrial(bench, {
        script: [say()],
        repertoire: { listing: { style: 'section', budget } },
      })
      const view = await firstView({ repertoire: { listing: { style: 'section', budget } } })
      if (view.cuts.shortened.length === 0 || view.cuts.dropped.length > 0)
        throw failure('core to shorten its list', view.cuts)
      const { system } = request(trial, 0)
      same('the system prompt', system, view.system('You are a careful assistant.'))
      contains('the system prompt', system, '…')
      lacks('the system prompt', system, 'or when asked "what is this project?"')
    },
  },
])
