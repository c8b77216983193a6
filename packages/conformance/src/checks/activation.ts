import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directorySource } from '@repertoire/core/node'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import { done, contains, lacks, refusedWith, request, same, shown } from './assertions.ts'
import { answersAsCore, wordsOfCore } from './reference.ts'
import { activate, call, deactivate, read, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** Creates a folder with one skill on disk, for checks that change it during a run. */
export async function withSkillOnDisk<T>(
  text: string,
  use: (root: string, manifest: string) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-check-'))
  try {
    const folder = join(root, 'changing')
    await mkdir(folder)
    const manifest = join(folder, 'SKILL.md')
    await writeFile(manifest, text)
    return await use(root, manifest)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Returns the text of that skill, with a body and rules. */
export function changingSkill(body: string, allowedTools = 'Read'): string {
  return `---\nname: changing\ndescription: A skill that changes.\nallowed-tools: ${allowedTools}\n---\n${body}\n`
}

export const activationChecks = checksOf('activation', [
  {
    id: 'activation-content',
    title: '[ACT-1, ACT-4] returns instructions, base path, allowed tools and the files of the folder',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('release-notes'), say()] })
      const text = trial.resultOf('call_1_1')
      contains('the result', text, 'Group by what a user notices. Leave out what no user notices.')
      contains('the result', text, join(FIXTURE_SKILLS, 'release-notes'))
      for (const file of ['references/style.md', 'scripts/collect.sh', 'assets/template.md'])
        contains('the result', text, file)
      lacks('the result', text, 'Present tense, one sentence an entry')
      same('the active skills', await trial.active(), ['release-notes'])
    },
  },
  {
    id: 'activation-words-of-core',
    title: '[ADPT-4, ACT-1] shows what an activation returns exactly as core words it, arguments included',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('safe-edit', 'docs/intro.md "quoted" $&'), say()] })
      const [expected] = await wordsOfCore([activate('safe-edit', 'docs/intro.md "quoted" $&')])
      same('the result', trial.resultOf('call_1_1'), expected)
      contains('the result', trial.resultOf('call_1_1'), 'Write(docs/**)')
    },
  },
  {
    id: 'activation-body-read-late',
    title: '[ACT-3] reads the instructions when the skill is activated, not before',
    run: (bench) =>
      withSkillOnDisk(changingSkill('The old body.'), async (root, manifest) => {
        const trial = await playTrial(bench, {
          sources: [directorySource({ root, layer: 'project' })],
          script: [
            () => {
              writeFileSync(manifest, changingSkill('The new body.'))
              return activate('changing')
            },
            say(),
          ],
        })
        contains('the result', trial.resultOf('call_1_1'), 'The new body.')
        lacks('the result', trial.resultOf('call_1_1'), 'The old body.')
      }),
  },
  {
    id: 'activation-broken-meanwhile',
    title: '[ACT-3, ABUSE-106] refuses a skill whose file has become invalid since it was listed, and goes on',
    run: (bench) =>
      withSkillOnDisk(changingSkill('The body.'), async (root, manifest) => {
        const trial = await bench.open({
          sources: [directorySource({ root, layer: 'project' })],
          script: [
            () => {
              writeFileSync(manifest, '---\nname: changing\ndescription: half writ')
              return activate('changing')
            },
            say('I went on.'),
          ],
        })
        const turn = await trial.send('Hello')
        refusedWith(trial, 'call_1_1', 'SKILL_BROKEN')
        same('the turn', turn, { status: 'done', text: 'I went on.' })
        same('the active skills', await trial.active(), [])
      }),
  },
  {
    id: 'activation-unknown-skill',
    title: '[ACT-2] lists the visible skills and suggests the closest name where a skill is unknown',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('safe-edits'), activate('constructor'), say()] })
      const { reason } = refusedWith(trial, 'call_1_1', 'SKILL_NOT_FOUND')
      contains('the reason', reason, 'Did you mean "safe-edit"?')
      contains('the reason', reason, 'repo-survey')
      refusedWith(trial, 'call_2_1', 'SKILL_NOT_FOUND')
      await answersAsCore(trial, [activate('safe-edits'), activate('constructor')])
    },
  },
  {
    id: 'activation-invisible-skill',
    title: '[ACT-2, CAT-5] gives the same result for an invisible skill as for one that does not exist',
    async run(bench) {
      const session = { skills: ['safe-edit'] }
      const trial = await playTrial(bench, {
        script: [activate('repo-survey'), activate('repo-surveX'), say()],
        session,
      })
      const invisible = refusedWith(trial, 'call_1_1', 'SKILL_NOT_FOUND').reason
      const unknown = refusedWith(trial, 'call_2_1', 'SKILL_NOT_FOUND').reason
      same(
        'the reason for the invisible one',
        invisible.replace('repo-survey', '…'),
        unknown.replace('repo-surveX', '…'),
      )
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'activation-empty-name',
    title: '[ACT-2] says so where the name is empty, absent or of the wrong type',
    async run(bench) {
      const inputs = [{ name: '' }, { name: '  ' }, {}, { name: 5 }, { name: ['safe-edit'] }]
      const steps = inputs.map((input) => call('activate_skill', input))
      const trial = await playTrial(bench, { script: [...steps, say()] })
      for (const index of inputs.keys()) refusedWith(trial, `call_${index + 1}_1`, 'INPUT_INVALID')
      await answersAsCore(trial, steps)
    },
  },
  {
    id: 'activation-tool-name-case',
    title: '[GATE-2, ABUSE-44] accepts the name of a skill tool in any case',
    async run(bench) {
      const trial = await playTrial(bench, { script: [call('Activate_Skill', { name: 'safe-edit' }), say()] })
      contains('the result', trial.resultOf('call_1_1'), 'Make the smallest change that does what was asked.')
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'activation-twice',
    title: '[ACT-6] answers a second activation with a short note, without the instructions',
    async run(bench) {
      const trial = await playTrial(bench, { script: [activate('safe-edit'), activate('safe-edit'), say()] })
      const [, expected] = await wordsOfCore([activate('safe-edit'), activate('safe-edit')])
      same('the second result', trial.resultOf('call_2_1'), expected)
      lacks('the second result', trial.resultOf('call_2_1'), 'Make the smallest change')
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'activation-once-in-context',
    title: '[ACT-6, SHOW-2] shows activated instructions once in every later request',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), read('docs/a.md'), say(), say()],
      })
      done(await trial.send('Go on'))
      const mark = 'Make the smallest change that does what was asked.'
      same(
        'how often the instructions occur',
        trial.requests.map((wire) => shown(wire).split(mark).length - 1),
        [0, 1, 1, 1],
      )
    },
  },
  {
    id: 'activation-survives-turns',
    needs: ['continuation'],
    title: '[GATE-5] keeps a skill active when the user sends the next message',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), say('Ready.'), write('src/a.ts'), say()],
      })
      same('the active skills between the messages', await trial.active(), ['safe-edit'])
      done(await trial.send('Now write'))
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'activation-again-after-leaving',
    title: '[ACT-6] returns the instructions again where a skill is activated again after its deactivation',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), deactivate(), activate('safe-edit'), say()],
      })
      contains('the third result', trial.resultOf('call_3_1'), 'Make the smallest change that does what was asked.')
      same('the active skills', await trial.active(), ['safe-edit'])
      same('the number of requests', trial.requests.length, 4)
      contains('the last request', shown(request(trial, -1)), 'Make the smallest change')
    },
  },
])
