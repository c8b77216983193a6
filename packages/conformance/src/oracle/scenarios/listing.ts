import { LISTING_STYLES, memorySource } from '@repertoire/core'
import { skillToolName } from '@repertoire/core/adapter'
import { manifestOf, manySkills } from '../../checks/many-skills.ts'
import { activate, bash, call, deactivate, say, together, write } from '../../checks/script-steps.ts'
import { benchTools } from '../../tools.ts'
import { AWKWARD, RULED, scenariosOf, skill, tool } from './define.ts'

/** A host tool whose schema uses everything that all vendors accept. */
const PLAN = {
  ...tool('Plan', () => 'planned', undefined, 'Plans $& a "trip" <b>by train</b>…\n\tTakes a day.'),
  inputSchema: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'Where the trip begins.' },
      class: { type: 'string', description: 'The class.', enum: ['first', 'second'] },
      seats: { type: 'integer', minimum: 1 },
      stops: {
        type: 'array',
        description: 'Where the train stops.',
        items: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      },
    },
    required: ['from', 'class'],
  },
} as const

const awkward = memorySource({
  layer: 'project',
  id: 'awkward',
  skills: {
    awkward: {
      'SKILL.md': manifestOf('awkward', JSON.stringify(AWKWARD), 'Body of awkward.', 'allowed-tools: Read\n'),
    },
    draft: { 'SKILL.md': manifestOf('draft', 'A draft.', 'Body.', 'status: draft\n') },
    broken: { 'SKILL.md': '---\nname: [\n---\n' },
    open: { 'SKILL.md': manifestOf('open', 'An open bracket.', 'Body.', 'allowed-tools: Bash(git:*\n') },
    theirs: { 'SKILL.md': manifestOf('theirs', 'For a writer.', 'Body.', 'scope:\n  agents: [writer]\n') },
    zulu: { 'SKILL.md': manifestOf('zulu', 'The last one.', 'Body.') },
  },
})

const ODD_NAMES = ['技能', 'größe', `${'a'.repeat(63)}x`, `${'a'.repeat(63)}y`]

const forms = memorySource({
  layer: 'project',
  id: 'forms',
  skills: {
    'zz-forms': {
      'SKILL.md': manifestOf('zz-forms', 'Fills in PDF forms.', 'Take the names of fields.', 'allowed-tools: Read\n'),
    },
    'zz-others': {
      'SKILL.md': manifestOf('zz-others', 'Fills in PDF forms of others.', 'Others.', 'scope:\n  agents: [nobody]\n'),
    },
  },
})
const SEARCH = call('search_skills', { queries: ['fill PDF forms', 'AcroForm fields'] })

/** What the model is shown of the skills that it may use. */
export const listingScenarios = scenariosOf('listing', [
  {
    id: 'listing-awkward',
    title:
      '[SHOW-1, ABUSE-102, CAT-8, DISC-3, MAN-8, ADPT-4] shows awkward descriptions as core does, no draft and no broken skill, and the tools of the host whole',
    setup: { sources: [awkward], tools: [...benchTools, PLAN], instructions: AWKWARD },
    script: [together(activate('open'), activate('draft'), activate('awkward')), write('a'), deactivate(), say()],
    turns: ['Hello'],
  },
  ...LISTING_STYLES.map((style) => ({
    id: `listing-style-${style}`,
    title: `[SHOW-1, SHOW-2, SHOW-6, ADPT-4] shows skills, guidance and tools as core does at every step of the style \`${style}\``,
    setup: {
      repertoire: {
        listing: { style, guidance: 'full' as const },
        skillToolNames: { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_skill_file' },
      },
    },
    script: [
      style === 'tools' ? call('skill_safe-edit', { args: 'a "b" $&' }) : call('use_skill', { name: 'safe-edit' }),
      write('src/a.ts'),
      together(style === 'tools' ? call('Skill_Git-History') : call('USE_SKILL', { name: 'git-history' }), bash('pwd')),
      call('leave_skill'),
      call('Leave_Skill'),
      say('One.'),
      bash('pwd'),
      say('Two.'),
    ],
    turns: ['Hello', 'Again'],
  })),
  {
    id: 'listing-stable',
    title: '[NFR-7, GATE-1] sends the same tools in every request with `stableTools`, and refuses calls as before',
    setup: { repertoire: { listing: { stableTools: true } } },
    script: [activate('safe-edit'), write('src/a.ts'), deactivate(), say()],
    turns: ['Hello'],
  },
  {
    id: 'listing-budget',
    title:
      '[SHOW-7, ABUSE-103, MATCH-4] offers a search where the list is cut, and activates what was found or not listed',
    setup: { sources: [manySkills(60), forms], repertoire: { listing: { budget: { window: 15_000 } } } },
    script: [
      SEARCH,
      activate('zz-forms'),
      together(SEARCH, bash('ls')),
      deactivate(),
      activate('skill-059', 'with "these"'),
      say(),
    ],
    turns: ['Fill in this form.'],
  },
  {
    id: 'listing-budget-tools',
    title: '[SHOW-4, SHOW-7] passes arguments to tools of skills whose schemas, for lack of space, do not name them',
    setup: { sources: [manySkills(50)], repertoire: { listing: { style: 'tools', budget: { window: 15_000 } } } },
    script: [call('skill_skill-000', { args: 'report "q3".csv' }), call('skill_skill-049'), say()],
    turns: ['Hello'],
  },
  {
    id: 'listing-odd-names',
    title: '[SHOW-4] offers skills whose names no provider accepts under accepted and distinct ones',
    setup: {
      skills: Object.fromEntries(ODD_NAMES.map((name) => [name, skill(`Body of ${name}.`)])),
      repertoire: { listing: { style: 'tools' } },
    },
    script: [...ODD_NAMES.map((name) => call(skillToolName(name))), say()],
    turns: ['Hello'],
  },
  {
    id: 'listing-off',
    title:
      "[DISC-9, ADPT-4] shows no skill and no tool but the host's where skills are turned off, and restricts nothing",
    setup: { repertoire: { enabled: false } },
    script: [bash('ls'), say()],
    turns: ['/safe-edit now'],
  },
  {
    id: 'listing-nothing',
    title:
      '[SHOW-1, CAT-5] shows no text about skills and no skill tools where no skill is visible, and hides that others exist',
    setup: { session: { skills: [] } },
    script: [activate('repo-survey'), activate('no-survey'), say()],
    turns: ['Hello'],
  },
  ...(['xml', 'section', 'tool', 'matched', 'tools'] as const).map((style) => ({
    id: `listing-reload-${style}`,
    title: `[SHOW-1, SHOW-4, CAT-4, ACT-2] shows at the next step what a reload found, and carries calls out by it, in the style \`${style}\``,
    setup: {
      skills: { early: skill('Body of early.'), middle: skill('Body of middle.') },
      repertoire: { listing: { style } },
    },
    script: [
      {
        reload: { late: RULED['reading']!, middle: skill('Another body.') },
        next:
          style === 'tools'
            ? together(call('skill_early'), call('skill_late'))
            : together(activate('early'), activate('late')),
      },
      style === 'tools' ? call('skill_early') : activate('early'),
      style === 'tools' ? call('skill_middle') : activate('middle'),
      bash('pwd'),
      say(),
    ],
    turns: ['Hello'],
  })),
])
