import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateMounts } from '@repertoire/core/node'
import { done, contains, lacks, ran, refusedWith, same, shown } from './assertions.ts'
import { activate, deactivate, read, readSkillFile, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const PRIVATE = 'private:/.skills/release-notes'

/** Creates a temporary folder for the private copies of a check. */
async function withRoot<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-check-'))
  try {
    return await use(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Returns the path of the task's copy of the skill. */
const copyOf = (root: string, task: string): string => join(root, 'private', task, '.skills', 'release-notes')

/** Private copies of what a task activates. */
export const mountChecks = checksOf('activation', [
  {
    id: 'activation-mount',
    title:
      '[ACT-5, GATE-4] gives the model the path of a private copy of the folder, reads files by that path, refuses to read scripts by it, and removes the copy when the skill is deactivated',
    run: (bench) =>
      withRoot(async (root) => {
        const copy = copyOf(root, 'the-task')
        let existedWhileActive: unknown
        const trial = await playTrial(bench, {
          repertoire: { mounts: privateMounts({ root }) },
          session: { id: 'the-task' },
          script: [
            activate('release-notes'),
            readSkillFile(`${PRIVATE}/references/style.md`),
            read(`${PRIVATE}/scripts/collect.sh`),
            read(join(copy, 'scripts', 'collect.sh')),
            () => {
              existedWhileActive = existsSync(join(copy, 'scripts', 'collect.sh'))
              return deactivate()
            },
            read(`${PRIVATE}/scripts/collect.sh`),
            say(),
          ],
        })
        contains('the result of the activation', trial.resultOf('call_1_1'), `Skill directory: ${PRIVATE}\n`)
        contains('the result of the activation', trial.resultOf('call_1_1'), `shell commands: ${copy}\n`)
        contains('what was read', trial.resultOf('call_2_1'), 'Present tense, one sentence an entry.')
        for (const id of ['call_3_1', 'call_4_1']) {
          const { reason } = refusedWith(trial, id, 'SCRIPT_READ_BLOCKED')
          contains('the reason', reason, `Run it with "Bash": \`${join(copy, 'scripts', 'collect.sh')}\``)
        }
        same('whether the copy is there while the skill is active', existedWhileActive, true)
        same('whether it is there afterwards', existsSync(copy), false)
        same('the tools that ran', ran(trial), ['Read'])
        for (const wire of trial.requests) lacks('a request', shown(wire), 'git describe --tags')
      }),
  },
  {
    id: 'activation-mount-end',
    title: '[ACT-5, ACT-7] removes private copies when the task ends, and makes none where consent is denied',
    run: (bench) =>
      withRoot(async (root) => {
        const repertoire = { mounts: privateMounts({ root }) }
        const denied = await bench.open({
          repertoire,
          session: { id: 'denied' },
          consent: () => false,
          script: [activate('release-notes'), say()],
        })
        done(await denied.send('Hello'))
        same('whether there is a copy of what was denied', existsSync(join(root, 'private', 'denied')), false)
        const style = join(copyOf(root, 'the-task'), 'references', 'style.md')
        let copy = { text: '', mode: 0o222 }
        // The copy may be gone when the run has ended.
        const step = () => {
          if (existsSync(style)) copy = { text: readFileSync(style, 'utf8'), mode: statSync(style).mode }
          return say()
        }
        const trial = await bench.open({ repertoire, session: { id: 'the-task' }, script: [step] })
        done(await trial.send('/release-notes'))
        contains('the copy', copy.text, 'Present tense')
        same('whether others can write to it', copy.mode & 0o222, 0)
        await trial.end()
        same('whether the copy is there after the end', existsSync(join(root, 'private', 'the-task')), false)
      }),
  },
  {
    id: 'activation-mount-resumed',
    needs: ['resume'],
    title: '[ACT-5, ACT-15, GATE-4] keeps a private copy for a fresh process, which removes it when the task ends',
    run: (bench) =>
      withRoot(async (root) => {
        const options = { repertoire: { mounts: privateMounts({ root }) }, session: { id: 'the-task' } }
        const first = await playTrial(bench, { ...options, script: [activate('release-notes'), say()] })
        const saved = await first.save()
        const late = { id: 'late', tool: 'Read', input: { file_path: `${PRIVATE}/scripts/collect.sh` } }
        const repertoire = { mounts: privateMounts({ root }) }
        const second = await bench.open({ ...options, repertoire, script: [{ calls: [late] }, say()], saved })
        done(await second.send('Go on'))
        refusedWith(second, 'late', 'SCRIPT_READ_BLOCKED')
        same('whether the copy is there', existsSync(copyOf(root, 'the-task')), true)
        await second.end()
        same('whether the copy is there after the end', existsSync(join(root, 'private', 'the-task')), false)
      }),
  },
])
