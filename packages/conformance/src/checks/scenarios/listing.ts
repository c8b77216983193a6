import { memorySource } from '@repertoire/core'
import { manifestOf, manySkills } from '../../oracle/written-skills.ts'
import { activate, call, deactivate, say, together, write } from '../../oracle/steps.ts'
import { benchTools } from '../../tools.ts'
import { AWKWARD, scenariosOf, tool } from './define.ts'

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
    additionalProperties: { $ref: '#/$defs/wish' },
    $defs: { wish: { type: 'string' } },
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

/** What the model is shown of the skills that it may use. */
export const listingScenarios = scenariosOf('listing', [
  {
    id: 'listing-awkward',
    quick: true,
    title:
      '[SHOW-1, ABUSE-102, CAT-8, DISC-3, MAN-8, ADPT-4] shows awkward descriptions as core does, no draft and no broken skill, and the tools of the host whole',
    setup: { sources: [awkward], tools: [...benchTools, PLAN], instructions: AWKWARD },
    script: [together(activate('open'), activate('draft'), activate('awkward')), write('a'), deactivate(), say()],
  },
  {
    id: 'listing-long',
    title:
      '[SHOW-4, ABUSE-103] activates what a list that is cut does not show, and passes tools arguments that their schemas, for lack of space, do not name',
    setup: { sources: [manySkills(50)], repertoire: { listing: { style: 'tools', budget: { share: 0.0015 } } } },
    script: [call('skill_skill-000', { args: 'report "q3".csv' }), call('skill_skill-049'), say()],
  },
])
