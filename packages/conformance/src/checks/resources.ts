import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directorySource } from '@repertoire/core/node'
import { FIXTURE_SKILLS } from '../fixture-skills.ts'
import { failure } from '../failure.ts'
import { contains, lacks, refusalIn, refusedWith, same, shown } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, inTwoSteps, readSkillFile, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const SECRET = 'SECRET-OUTSIDE-OF-THE-SKILL'

/** A skill whose folder holds a link and a hard link to a file outside. */
async function withLinkedSkill<T>(use: (root: string) => Promise<T>): Promise<T> {
  const base = await mkdtemp(join(tmpdir(), 'repertoire-check-'))
  try {
    const folder = join(base, 'skills', 'linked')
    await mkdir(join(folder, 'references'), { recursive: true })
    await writeFile(join(base, 'secret.txt'), SECRET)
    await writeFile(join(folder, 'SKILL.md'), '---\nname: linked\ndescription: A skill with links.\n---\nBody.\n')
    await symlink(join(base, 'secret.txt'), join(folder, 'references', 'soft.md'))
    await symlink(base, join(folder, 'up'))
    await link(join(base, 'secret.txt'), join(folder, 'references', 'hard.md'))
    return await use(join(base, 'skills'))
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

export const resourceChecks = checksOf('resources', [
  {
    id: 'resources-read',
    title: '[RES-2, ABUSE-104] reads a file of an active skill by its relative path, with its origin',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('release-notes'), readSkillFile('references/style.md'), say()],
      })
      const [, expected] = await wordsOfCore([activate('release-notes'), readSkillFile('references/style.md')])
      same('the result', trial.resultOf('call_2_1'), expected)
      contains('the result', trial.resultOf('call_2_1'), 'Present tense, one sentence an entry.')
      contains('the result', trial.resultOf('call_2_1'), 'skill="release-notes" path="references/style.md"')
    },
  },
  {
    id: 'resources-line-range',
    title: '[RES-2] reads a range of lines',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('release-notes'), readSkillFile('references/style.md', { from: 3, to: 4 }), say()],
      })
      const text = trial.resultOf('call_2_1')
      contains('the result', text, 'Say what a user can do now')
      contains('the result', text, 'Present tense')
      lacks('the result', text, '# House style')
      lacks('the result', text, 'A breaking change comes first')
    },
  },
  {
    id: 'resources-stay-inside',
    title: "[RES-3, ABUSE-24, ABUSE-25] refuses every path that leads out of the skill's folder",
    async run(bench) {
      const paths = [
        '../safe-edit/SKILL.md',
        'references/../../safe-edit/SKILL.md',
        join(FIXTURE_SKILLS, 'safe-edit', 'SKILL.md'),
        '/etc/passwd',
        '..\\safe-edit\\SKILL.md',
        '%2e%2e/safe-edit/SKILL.md',
        'file:///etc/passwd',
        'references/style.md\u0000.txt',
      ]
      const trial = await playTrial(bench, {
        script: [
          activate('release-notes'),
          ...inTwoSteps(
            'read',
            paths.map((path) => readSkillFile(path)),
          ),
          say(),
        ],
      })
      for (const [index, path] of paths.entries()) {
        const text = trial.resultOf(`read_${index}`)
        const code = refusalIn(text)?.code
        if (code !== 'RESOURCE_REFUSED' && code !== 'RESOURCE_NOT_FOUND')
          throw failure(`${JSON.stringify(path)} to be refused`, text)
        lacks('the result', text, 'You may read anything')
        lacks('the result', text, 'root:')
      }
    },
  },
  {
    id: 'resources-links',
    title: '[RES-3, ABUSE-27] shows nothing that is reached through a symbolic or hard link',
    run: (bench) =>
      withLinkedSkill(async (root) => {
        const paths = ['references/soft.md', 'up/secret.txt', 'references/hard.md']
        const trial = await playTrial(bench, {
          sources: [directorySource({ root, layer: 'project' })],
          script: [activate('linked'), ...paths.map((path) => readSkillFile(path)), say()],
        })
        for (const index of paths.keys()) refusedWith(trial, `call_${index + 2}_1`, 'RESOURCE_REFUSED')
        for (const wire of trial.requests) lacks('a request', shown(wire), SECRET)
      }),
  },
  {
    id: 'resources-scripts',
    title: '[GATE-4, SHOW-6] refuses to read a script of an active skill and says how to run it',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('release-notes'), readSkillFile('scripts/collect.sh'), say()],
      })
      const { reason } = refusedWith(trial, 'call_2_1', 'SCRIPT_READ_BLOCKED')
      contains('the reason', reason, `"Bash": \`${join(FIXTURE_SKILLS, 'release-notes', 'scripts', 'collect.sh')}\``)
      for (const wire of trial.requests) lacks('a request', shown(wire), 'git describe --tags')
    },
  },
  {
    id: 'resources-inactive-skill',
    title: '[RES-2, ASK-1] reads no file of a skill that is not active',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          readSkillFile('references/style.md'),
          readSkillFile('references/style.md', { skill: 'release-notes' }),
          say(),
        ],
      })
      refusedWith(trial, 'call_1_1', 'SKILL_NOT_ACTIVE')
      refusedWith(trial, 'call_2_1', 'SKILL_NOT_ACTIVE')
    },
  },
  {
    id: 'resources-missing',
    title: '[RES-2] says so where a file is missing, and goes on',
    async run(bench) {
      const trial = await bench.open({
        script: [activate('release-notes'), readSkillFile('references/none.md'), say('I went on.')],
      })
      const turn = await trial.send('Hello')
      refusedWith(trial, 'call_2_1', 'RESOURCE_NOT_FOUND')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
    },
  },
])
