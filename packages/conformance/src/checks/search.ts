import { memorySource } from '@repertoire/core'
import { failure } from '../failure.ts'
import { contains, done, lacks, offered, ran, refusedWith, request, same } from './assertions.ts'
import { manifestOf, manySkills } from './many-skills.ts'
import { wordsOfCore } from './reference.ts'
import { activate, bash, call, say, together } from './script-steps.ts'
import { checksOf } from './define.ts'

/** More than the list has room for, with three that fit the same words, of which two are not this session's to see. */
const SOURCES = [
  manySkills(40),
  memorySource({
    layer: 'project',
    id: 'forms',
    skills: {
      'zz-forms': {
        'SKILL.md': manifestOf(
          'zz-forms',
          'Fills in PDF forms.',
          'Take the names of the fields.',
          'allowed-tools: Read\n',
        ),
      },
      'zz-others': {
        'SKILL.md': manifestOf('zz-others', 'Fills in PDF forms of others.', 'Others.', 'scope:\n  agents: [nobody]\n'),
      },
      'zz-people': {
        'SKILL.md': manifestOf(
          'zz-people',
          'Fills in PDF forms by hand.',
          'By hand.',
          'disable-model-invocation: true\n',
        ),
      },
    },
  }),
]

const REPERTOIRE = { listing: { budget: { window: 15_000 } } }
const SEARCH = call('search_skills', { queries: ['fill PDF forms', 'AcroForm fields'] })

export const searchChecks = checksOf('listing', [
  {
    id: 'listing-search',
    title:
      '[MATCH-4] offers a search where the list has no room for all skills, shows what it finds in the words of core, and activates what was found',
    async run(bench) {
      const trial = await bench.open({
        script: [SEARCH, activate('zz-forms'), say()],
        repertoire: REPERTOIRE,
        sources: SOURCES,
      })
      done(await trial.send('Fill in this form.'))
      const first = request(trial, 0)
      if (!offered(first).includes('search_skills'))
        throw failure('the tool search_skills to be offered', offered(first))
      lacks('the first system prompt', first.system, 'zz-forms')
      const tool = first.tools.find(({ name }) => name === 'activate_skill')
      lacks('the schema of activate_skill', JSON.stringify(tool?.inputSchema['properties'] ?? {}), 'enum')
      const [found = '', activated = ''] = await wordsOfCore([SEARCH, activate('zz-forms')], {
        repertoire: { ...REPERTOIRE, sources: SOURCES },
      })
      contains('what core finds', found, '<name>zz-forms</name>')
      same('what was found', trial.resultOf('call_1_1'), found)
      for (const name of ['zz-others', 'zz-people']) lacks('what was found', found, name)
      same('the result of the activation', trial.resultOf('call_2_1'), activated)
    },
  },
  {
    id: 'listing-search-restricted',
    title: '[MATCH-4, GATE-2] lets a model search while the active skill allows nothing but other tools',
    async run(bench) {
      const trial = await bench.open({
        script: [activate('zz-forms'), together(SEARCH, bash('ls')), say()],
        repertoire: REPERTOIRE,
        sources: SOURCES,
      })
      done(await trial.send('Fill in this form.'))
      contains('what was found', trial.resultOf('call_2_1'), '<skill active="true"><name>zz-forms</name>')
      refusedWith(trial, 'call_2_2', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), [])
    },
  },
  {
    id: 'turns-matched',
    area: 'turns',
    title:
      "[MATCH-1, MATCH-2, SHOW-5] shows the skills that fit a person's message, by option with their instructions, until the next message, and activates none of them",
    async run(bench) {
      const trial = await bench.open({
        script: [bash('ls'), say(), say()],
        repertoire: { listing: { style: 'matched' } },
        session: { turns: { match: { limit: 1, content: 'all' } } },
      })
      done(await trial.send('Please survey this unfamiliar repository.'))
      done(await trial.send('Correct the text of the documentation.'))
      same(
        'the headings of each request',
        trial.requests.map(({ system }) => [...system.matchAll(/^## Skill: (.*)$/gm)].map(([, name]) => name)),
        [['repo-survey'], ['repo-survey'], ['safe-edit']],
      )
      contains('the first system prompt', request(trial, 0).system, '<skill_content name="repo-survey">')
      contains('the last system prompt', request(trial, 2).system, 'Make the smallest change that does what was asked.')
      // The skill allows other commands only.
      same('the tools that ran', ran(trial), ['Bash'])
    },
  },
])
